// Simulates the kernel of an operating system for n turns of its idle task: how many packets were
// queued, and how often a task was held. A task's number is its priority.
const WORKER = 1, HANDLER_A = 2, HANDLER_B = 3, DEVICE_A = 4, DEVICE_B = 5, DATA = 4;

function packets(count, task, kind) {
  const packets = [];
  for (let i = 0; i < count; i++) {
    packets.push({ task: task, kind: kind, at: 0, data: [] });
  }
  return packets;
}

function Task(kernel, id, packets) {
  this.kernel = kernel;
  this.id = id;
  this.queue = packets;
  this.isHeld = false;
  this.isSuspended = true;
  this.isRunnable = packets.length > 0;
}

Task.prototype.isWaiting = function () {
  return this.isHeld || (this.isSuspended && !this.isRunnable);
};

// Runs with the next packet, null if there is none; returns who runs then.
Task.prototype.run = function () {
  if (!this.isSuspended || !this.isRunnable) {
    return this.receive(null);
  }
  const packet = this.queue.shift();
  this.isSuspended = false;
  this.isRunnable = this.queue.length > 0;
  return this.receive(packet);
};

function extend(constructor, receive) {
  constructor.prototype = Object.create(Task.prototype);
  constructor.prototype.receive = receive;
  return constructor;
}

const Idle = extend(function (kernel, turns) {
  Task.call(this, kernel, 0, []);
  this.turns = turns;
  this.control = 1;
  this.isSuspended = false;
}, function () {
  if (--this.turns === 0) {
    return this.kernel.hold();
  }
  const isEven = this.control % 2 === 0;
  this.control = isEven ? this.control >> 1 : (this.control >> 1) ^ 0xD008;
  return this.kernel.release(isEven ? DEVICE_A : DEVICE_B);
});

const Worker = extend(function (kernel, id, packets) {
  Task.call(this, kernel, id, packets);
  this.handler = HANDLER_A;
  this.letter = 0;
}, function (packet) {
  if (packet === null) {
    return this.kernel.suspend();
  }
  this.handler = this.handler === HANDLER_A ? HANDLER_B : HANDLER_A;
  packet.task = this.handler;
  packet.at = 0;
  for (let i = 0; i < DATA; i++) {
    this.letter = this.letter % 26 + 1;
    packet.data[i] = this.letter;
  }
  return this.kernel.send(packet);
});

const Handler = extend(function (kernel, id, packets) {
  Task.call(this, kernel, id, packets);
  this.work = [];
  this.devices = [];
}, function (packet) {
  if (packet !== null) {
    (packet.kind === 'work' ? this.work : this.devices).push(packet);
  }
  if (this.work.length > 0) {
    const next = this.work[0];
    if (next.at === DATA) {
      return this.kernel.send(this.work.shift());
    }
    if (this.devices.length > 0) {
      const device = this.devices.shift();
      device.at = next.data[next.at++];
      return this.kernel.send(device);
    }
  }
  return this.kernel.suspend();
});

const Device = extend(function (kernel, id) {
  Task.call(this, kernel, id, []);
  this.pending = null;
}, function (packet) {
  const sent = this.pending;
  this.pending = packet;
  if (packet !== null) {
    return this.kernel.hold();
  }
  return sent === null ? this.kernel.suspend() : this.kernel.send(sent);
});

function Kernel(turns) {
  this.queued = 0;
  this.held = 0;
  this.tasks = [
    new Idle(this, turns),
    new Worker(this, WORKER, packets(2, WORKER, 'work')),
    new Handler(this, HANDLER_A, packets(3, DEVICE_A, 'device')),
    new Handler(this, HANDLER_B, packets(3, DEVICE_B, 'device')),
    new Device(this, DEVICE_A),
    new Device(this, DEVICE_B)
  ];
}

Kernel.prototype.schedule = function () {
  this.current = this.tasks[DEVICE_B];
  while (this.current) {
    this.current = this.current.isWaiting() ? this.below(this.current) : this.current.run();
  }
  return this.queued + ' ' + this.held;
};

Kernel.prototype.below = function (task) {
  return task.id === 0 ? null : this.tasks[task.id - 1];
};

Kernel.prototype.hold = function () {
  this.held++;
  this.current.isHeld = true;
  return this.below(this.current);
};

Kernel.prototype.suspend = function () {
  this.current.isSuspended = true;
  return this.current;
};

Kernel.prototype.release = function (id) {
  this.tasks[id].isHeld = false;
  return this.tasks[Math.max(id, this.current.id)];
};

Kernel.prototype.send = function (packet) {
  const task = this.tasks[packet.task];
  this.queued++;
  packet.task = this.current.id;
  task.queue.push(packet);
  if (task.queue.length > 1) {
    return this.current;
  }
  task.isRunnable = true;
  return this.tasks[Math.max(task.id, this.current.id)];
};

Packages.languages.Work.run('richards', arguments[0], n => new Kernel(n).schedule());
