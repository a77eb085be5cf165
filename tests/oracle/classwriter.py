"""A small assembler of class files, for bytecode that javac does not make.

>>> code = Code(max_stack=1, max_locals=1).op("iload_0").op("ireturn")
>>> writer = ClassWriter("Same", major=49)
>>> writer.method("same", "(I)I", code)
>>> writer.to_bytes()[:8].hex()
'cafebabe00000031'
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

__all__ = ["ClassWriter", "Code", "Member"]

ACC_PUBLIC = 0x0001
ACC_STATIC = 0x0008
ACC_SUPER = 0x0020

# JVMS 6.5: the mnemonics in order of opcode.
_MNEMONICS = """
nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0 lconst_1
fconst_0 fconst_1 fconst_2 dconst_0 dconst_1 bipush sipush ldc ldc_w ldc2_w iload lload fload dload
aload iload_0 iload_1 iload_2 iload_3 lload_0 lload_1 lload_2 lload_3 fload_0 fload_1 fload_2
fload_3 dload_0 dload_1 dload_2 dload_3 aload_0 aload_1 aload_2 aload_3 iaload laload faload daload
aaload baload caload saload istore lstore fstore dstore astore istore_0 istore_1 istore_2 istore_3
lstore_0 lstore_1 lstore_2 lstore_3 fstore_0 fstore_1 fstore_2 fstore_3 dstore_0 dstore_1 dstore_2
dstore_3 astore_0 astore_1 astore_2 astore_3 iastore lastore fastore dastore aastore bastore
castore sastore pop pop2 dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2 swap iadd ladd fadd dadd isub lsub
fsub dsub imul lmul fmul dmul idiv ldiv fdiv ddiv irem lrem frem drem ineg lneg fneg dneg ishl lshl
ishr lshr iushr lushr iand land ior lor ixor lxor iinc i2l i2f i2d l2i l2f l2d f2i f2l f2d d2i d2l
d2f i2b i2c i2s lcmp fcmpl fcmpg dcmpl dcmpg ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne
if_icmplt if_icmpge if_icmpgt if_icmple if_acmpeq if_acmpne goto jsr ret tableswitch lookupswitch
ireturn lreturn freturn dreturn areturn return getstatic putstatic getfield putfield invokevirtual
invokespecial invokestatic invokeinterface invokedynamic new newarray anewarray arraylength athrow
checkcast instanceof monitorenter monitorexit wide multianewarray ifnull ifnonnull goto_w jsr_w
"""
_OPCODES = {name: number for number, name in enumerate(_MNEMONICS.split())}
_FIELD_TAGS = {"getstatic": 9, "putstatic": 9, "getfield": 9, "putfield": 9}


@dataclass(frozen=True)
class Member:
    """A field or method as an operand."""

    owner: str
    name: str
    descriptor: str


Operand = int | str | Member


class _Pool:
    def __init__(self) -> None:
        self._entries: dict[tuple[object, ...], int] = {}
        self._data = bytearray()

    def _add(self, key: tuple[object, ...], data: bytes) -> int:
        if key not in self._entries:
            self._entries[key] = len(self._entries) + 1
            self._data += data
        return self._entries[key]

    def utf8(self, text: str) -> int:
        data = text.encode()
        return self._add(("utf8", text), struct.pack(">BH", 1, len(data)) + data)

    def integer(self, value: int) -> int:
        return self._add(("int", value), struct.pack(">Bi", 3, value))

    def class_(self, name: str) -> int:
        return self._add(("class", name), struct.pack(">BH", 7, self.utf8(name)))

    def member(self, tag: int, of: Member) -> int:
        names = struct.pack(">BHH", 12, self.utf8(of.name), self.utf8(of.descriptor))
        pair = self._add(("pair", of.name, of.descriptor), names)
        return self._add((tag, of), struct.pack(">BHH", tag, self.class_(of.owner), pair))

    def to_bytes(self) -> bytes:
        return struct.pack(">H", len(self._entries) + 1) + bytes(self._data)


@dataclass
class Code:
    """The instructions of a method; each call appends and returns the object itself."""

    max_stack: int
    max_locals: int
    _items: list[tuple[str, tuple[Operand, ...]]] = field(default_factory=list)
    _labels: dict[str, int] = field(default_factory=dict)
    _handlers: list[tuple[str, str, str, str | None]] = field(default_factory=list)
    _frames: list[str] = field(default_factory=list)

    def op(self, mnemonic: str, *operands: Operand) -> Code:
        """One instruction: numbers, a label to jump to, a class name or a Member."""
        self._items.append((mnemonic, operands))
        return self

    def label(self, name: str, *, frame: bool = False) -> Code:
        """A label here; with a stack map frame that has the locals of the method's entry."""
        self._items.append(("", (name,)))
        if frame:
            self._frames.append(name)
        return self

    def catch(self, start: str, end: str, handler: str, of: str | None = None) -> Code:
        """An exception table entry, after those given before; of any class if none is named."""
        self._handlers.append((start, end, handler, of))
        return self

    def offset(self, label: str) -> int:
        """The bytecode offset of a label, once the method was added to a class."""
        return self._labels[label]

    def _place(self) -> None:
        at = 0
        for mnemonic, operands in self._items:
            if mnemonic == "":
                self._labels[str(operands[0])] = at
            else:
                at += _length(mnemonic, operands, at)

    def assemble(self, pool: _Pool) -> bytes:
        """The content of the Code attribute."""
        self._place()
        code = bytearray()
        for mnemonic, operands in self._items:
            if mnemonic:
                code += self._encode(pool, mnemonic, operands, len(code))
        table = struct.pack(">H", len(self._handlers))
        for start, end, handler, of in self._handlers:
            ends = (self._labels[start], self._labels[end], self._labels[handler])
            table += struct.pack(">HHHH", *ends, pool.class_(of) if of else 0)
        head = struct.pack(">HHI", self.max_stack, self.max_locals, len(code))
        return head + bytes(code) + table + self._stack_map(pool)

    def _stack_map(self, pool: _Pool) -> bytes:
        if not self._frames:
            return struct.pack(">H", 0)
        frames = b""
        last = -1
        for at in sorted({self._labels[name] for name in self._frames}):
            delta, last = at - last - 1, at
            # JVMS 4.7.4: same_frame, or same_frame_extended for a larger delta
            frames += struct.pack(">B", delta) if delta < 64 else struct.pack(">BH", 251, delta)
        n = len({self._labels[name] for name in self._frames})
        content = struct.pack(">H", n) + frames
        return struct.pack(">HHI", 1, pool.utf8("StackMapTable"), len(content)) + content

    def _encode(self, pool: _Pool, mnemonic: str, operands: tuple[Operand, ...], at: int) -> bytes:
        if mnemonic == "wide":
            wide = struct.pack(">BBH", 196, _OPCODES[str(operands[0])], operands[1])
            return wide + (struct.pack(">h", operands[2]) if len(operands) > 2 else b"")
        opcode = bytes([_OPCODES[mnemonic]])
        if mnemonic in ("tableswitch", "lookupswitch"):
            return opcode + self._encode_switch(mnemonic, operands, at)
        if mnemonic == "iinc":
            return opcode + struct.pack(">Bb", *operands)
        return opcode + b"".join(self._encode_operand(pool, mnemonic, o, at) for o in operands)

    def _encode_operand(self, pool: _Pool, mnemonic: str, operand: Operand, at: int) -> bytes:
        if isinstance(operand, Member):
            return struct.pack(">H", pool.member(_FIELD_TAGS.get(mnemonic, 10), operand))
        if mnemonic in ("new", "anewarray", "checkcast", "instanceof"):
            return struct.pack(">H", pool.class_(str(operand)))
        if isinstance(operand, str):
            return struct.pack(
                ">i" if mnemonic.endswith("_w") else ">h", self._labels[operand] - at
            )
        if mnemonic in ("ldc", "ldc_w"):
            return struct.pack(">B" if mnemonic == "ldc" else ">H", pool.integer(operand))
        return struct.pack(">h" if mnemonic == "sipush" else ">B", operand)

    def _encode_switch(self, mnemonic: str, operands: tuple[Operand, ...], at: int) -> bytes:
        """tableswitch: low, default, targets…; lookupswitch: default, then key, target…."""
        pad = bytes(3 - at % 4)
        if mnemonic == "tableswitch":
            low, default, *targets = operands
            high = int(str(low)) + len(targets) - 1
            head = struct.pack(">iii", self._labels[str(default)] - at, low, high)
            return (
                pad + head + b"".join(struct.pack(">i", self._labels[str(t)] - at) for t in targets)
            )
        default, *pairs = operands
        content = struct.pack(">ii", self._labels[str(default)] - at, len(pairs) // 2)
        for key, target in zip(pairs[::2], pairs[1::2], strict=True):
            content += struct.pack(">ii", key, self._labels[str(target)] - at)
        return pad + content


def _length(mnemonic: str, operands: tuple[Operand, ...], at: int) -> int:
    if mnemonic == "wide":
        return 4 if len(operands) == 2 else 6
    if mnemonic == "tableswitch":
        return 1 + 3 - at % 4 + 12 + 4 * (len(operands) - 2)
    if mnemonic == "lookupswitch":
        return 1 + 3 - at % 4 + 8 + 4 * (len(operands) - 1)
    if not operands:
        return 1
    if isinstance(operands[0], str | Member):
        return 5 if mnemonic in ("goto_w", "jsr_w") else 3
    return 3 if mnemonic in ("iinc", "sipush", "ldc_w") else 2


class ClassWriter:
    """A public class of static methods, without constructor."""

    def __init__(self, name: str, *, major: int) -> None:
        self._name = name
        self._major = major
        self._pool = _Pool()
        self._methods: list[bytes] = []

    def method(self, name: str, descriptor: str, code: Code) -> None:
        """Adds a public static method."""
        content = code.assemble(self._pool)
        names = (self._pool.utf8(name), self._pool.utf8(descriptor), 1, self._pool.utf8("Code"))
        head = struct.pack(">HHHHHI", ACC_PUBLIC | ACC_STATIC, *names, len(content))
        self._methods.append(head + content)

    def to_bytes(self) -> bytes:
        """The class file."""
        this = self._pool.class_(self._name)
        parent = self._pool.class_("java/lang/Object")
        body = struct.pack(">HHHHH", ACC_PUBLIC | ACC_SUPER, this, parent, 0, 0)
        body += struct.pack(">H", len(self._methods)) + b"".join(self._methods)
        head = struct.pack(">IHH", 0xCAFEBABE, 0, self._major)
        return head + self._pool.to_bytes() + body + struct.pack(">H", 0)
