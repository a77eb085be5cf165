// Writes n records as JSON, reads them back, and sums up what was read.
const ESCAPES = { '"': '\\"', '\\': '\\\\', '\n': '\\n' };

function item(i) {
  const tags = [];
  for (let t = 0; t < i % 4; t++) {
    tags.push('t' + i * t);
  }
  return {
    id: i,
    name: 'item "' + i * 7919 % 1000 + '"\n',
    tags: tags,
    next: i % 3 === 0 ? null : { to: -i },
    even: i % 2 === 0
  };
}

function write(value) {
  if (typeof value === 'string') {
    return quoted(value);
  }
  if (Array.isArray(value)) {
    return '[' + value.map(write).join(',') + ']';
  }
  if (value !== null && typeof value === 'object') {
    return '{' + Object.keys(value).map(k => quoted(k) + ':' + write(value[k])).join(',') + '}';
  }
  return String(value);
}

function quoted(text) {
  return '"' + text.split('').map(c => ESCAPES[c] || c).join('') + '"';
}

function Parser(text) {
  this.text = text;
  this.at = 0;
}

Parser.prototype.value = function () {
  switch (this.text.charAt(this.at)) {
    case '{': return this.object();
    case '[': return this.array();
    case '"': return this.string();
    case 't': return this.word('true', true);
    case 'f': return this.word('false', false);
    case 'n': return this.word('null', null);
    default: return this.number();
  }
};

Parser.prototype.elements = function (close, read) {
  this.at++;
  while (this.text.charAt(this.at) !== close) {
    read.call(this);
    if (this.text.charAt(this.at) === ',') {
      this.at++;
    }
  }
  this.at++;
};

Parser.prototype.object = function () {
  const object = {};
  this.elements('}', function () {
    const key = this.string();
    this.at++;
    object[key] = this.value();
  });
  return object;
};

Parser.prototype.array = function () {
  const array = [];
  this.elements(']', function () {
    array.push(this.value());
  });
  return array;
};

Parser.prototype.string = function () {
  let string = '';
  this.at++;
  while (this.text.charAt(this.at) !== '"') {
    let c = this.text.charAt(this.at++);
    if (c === '\\') {
      c = this.text.charAt(this.at++);
      c = c === 'n' ? '\n' : c;
    }
    string += c;
  }
  this.at++;
  return string;
};

Parser.prototype.word = function (word, value) {
  this.at += word.length;
  return value;
};

Parser.prototype.number = function () {
  const start = this.at;
  while (/[-0-9]/.test(this.text.charAt(this.at))) {
    this.at++;
  }
  return parseInt(this.text.substring(start, this.at), 10);
};

function sum(value) {
  if (value === null) {
    return 7;
  }
  if (Array.isArray(value)) {
    return value.reduce((total, each) => total + sum(each), 0);
  }
  switch (typeof value) {
    case 'number': return value;
    case 'string': return value.length;
    case 'boolean': return value ? 1 : 0;
    default:
      return Object.keys(value).reduce((total, k) => total + k.length * 3 + sum(value[k]), 0);
  }
}

Packages.languages.Work.run('json', arguments[0], function (n) {
  const items = [];
  for (let i = 0; i < n; i++) {
    items.push(item(i));
  }
  const text = write(items);
  const read = new Parser(text).value();
  return text.length + ' ' + sum(read) + ' ' + write(read).length;
});
