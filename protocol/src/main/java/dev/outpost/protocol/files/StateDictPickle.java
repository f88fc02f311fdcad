package dev.outpost.protocol.files;

import dev.outpost.types.MalformedException;
import dev.outpost.types.Shape;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the pickle of a state dict that torch wrote: the names, and for each tensor its storage, offset, shape and
 * strides. A pickle is a program. This reader implements only the instructions and names that occur in state dicts.
 * It never creates an object of a class that the pickle names. Any other instruction or name is refused with an error
 * that names it.
 *
 * <p>Time and memory are bounded by the pickle's length and by {@link #MAX_STEPS}; nothing here is recursive.
 */
final class StateDictPickle {
    /** The maximum number of instructions of a pickle: enough for 50,000 tensors. */
    static final int MAX_STEPS = 2_000_000;

    private static final int MAX_NAME = 256;
    private static final int MIN_PROTOCOL = 2;
    private static final int MAX_PROTOCOL = 5;

    /** Marks the start of the parts of a tuple or dict on the stack. */
    private static final Object MARK = new Object();

    /** Python's None. */
    private static final Object NONE = new Object();

    /** A function that a state dict calls. */
    private enum Function {
        ORDERED_DICT,
        REBUILD_TENSOR_V2,
        REBUILD_TENSOR_V3,
        REBUILD_PARAMETER
    }

    /**
     * A storage class of torch, such as {@code FloatStorage}. The dtype is null for {@code UntypedStorage}: then each
     * tensor names its own dtype.
     */
    private record StorageClass(TorchDtypes.@Nullable Elements elements) {}

    private record Tuple(List<Object> parts) {}

    private static final class Dict {
        private final Map<Object, Object> entries = new LinkedHashMap<>();
        private final boolean isOrdered;

        Dict(boolean isOrdered) {
            this.isOrdered = isOrdered;
        }
    }

    /**
     * A storage, whose elements are in an entry of the file.
     *
     * @param key the name of the entry below {@code data/}
     * @param unit the bytes of an element
     * @param count the number of elements
     */
    record Storage(String key, int unit, long count, TorchDtypes.@Nullable Elements elements) {}

    /**
     * A tensor as described by the pickle. It has not been checked against the storage.
     *
     * @param offset the offset of the first element in the storage, in elements
     */
    record Tensor(Storage storage, TorchDtypes.Elements elements, long offset, long[] sizes, long[] strides) {}

    private final String name;
    private final ByteBuffer in;
    private final List<Object> stack = new ArrayList<>();
    private final Map<Integer, Object> memo = new HashMap<>();

    private StateDictPickle(String name, byte[] pickle) {
        this.name = name;
        this.in = ByteBuffer.wrap(pickle).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Reads a pickle.
     *
     * @param name the name of the file in errors
     * @return the tensors by their names, in the pickle's order
     * @throws MalformedException if the bytes are not the pickle of a state dict
     */
    static Map<String, Tensor> read(String name, byte[] pickle) {
        StateDictPickle reader = new StateDictPickle(name, pickle);
        try {
            return reader.stateDict(reader.run());
        } catch (BufferUnderflowException ignored) {
            throw reader.malformed("it ends within an instruction");
        }
    }

    private MalformedException malformed(String why) {
        return new MalformedException(name + ", byte " + in.position() + ": " + why);
    }

    // ---- instructions

    private Object run() {
        if (in.remaining() < 2 || in.get(0) != (byte) 0x80) {
            throw malformed("expected a pickle of protocol " + MIN_PROTOCOL + " to " + MAX_PROTOCOL
                    + ", which begins with PROTO");
        }
        for (int step = 0; step < MAX_STEPS; step++) {
            int code = Byte.toUnsignedInt(in.get());
            if (code == '.') {
                Object result = pop();
                if (!stack.isEmpty() || in.hasRemaining()) {
                    throw malformed("something is left behind its end");
                }
                return result;
            }
            step(code);
        }
        throw malformed("a state dict takes at most " + MAX_STEPS + " instructions");
    }

    private void step(int code) {
        switch (code) {
            case 0x80 -> protocol();
            case 0x95 -> frame();
            case '(' -> stack.add(MARK);
            case 'N' -> stack.add(NONE);
            case 0x88 -> stack.add(true);
            case 0x89 -> stack.add(false);
            case 'J' -> stack.add((long) in.getInt());
            case 'K' -> stack.add((long) Byte.toUnsignedInt(in.get()));
            case 'M' -> stack.add((long) Short.toUnsignedInt(in.getShort()));
            case 0x8a -> stack.add(wide(Byte.toUnsignedInt(in.get())));
            case 'X' -> stack.add(text(Integer.toUnsignedLong(in.getInt())));
            case 0x8c -> stack.add(text(Byte.toUnsignedInt(in.get())));
            case ')' -> stack.add(new Tuple(List.of()));
            case 0x85 -> tuple(1);
            case 0x86 -> tuple(2);
            case 0x87 -> tuple(3);
            case 't' -> stack.add(new Tuple(popToMark()));
            case '}' -> stack.add(new Dict(false));
            case 's' -> setItem();
            case 'u' -> setItems();
            case 'q' -> memo.put(Byte.toUnsignedInt(in.get()), peek());
            case 'r' -> memo.put(in.getInt(), peek());
            case 0x94 -> memo.put(memo.size(), peek());
            case 'h' -> stack.add(remembered(Byte.toUnsignedInt(in.get())));
            case 'j' -> stack.add(remembered(in.getInt()));
            case 'c' -> stack.add(global(line(), line()));
            case 0x93 -> stackGlobal();
            case 'Q' -> stack.add(storage(pop()));
            case 'R' -> reduce();
            case 'b' -> build();
            default -> throw malformed("the instruction " + PickleNames.of(code) + " is none of a state dict");
        }
    }

    private void protocol() {
        int protocol = Byte.toUnsignedInt(in.get());
        if (in.position() != 2 || protocol < MIN_PROTOCOL || protocol > MAX_PROTOCOL) {
            throw malformed("expected protocol " + MIN_PROTOCOL + " to " + MAX_PROTOCOL + " once, got " + protocol);
        }
    }

    /** Skips the length of a frame, which only helps readers of a stream. */
    private void frame() {
        long bytes = in.getLong();
        if (bytes < 0 || bytes > in.remaining()) {
            throw malformed("a frame of " + Long.toUnsignedString(bytes) + " bytes reaches beyond the end");
        }
    }

    private long wide(int bytes) {
        if (bytes > Long.BYTES) {
            throw malformed("an integer has at most 8 bytes, got " + bytes);
        }
        long value = 0;
        for (int at = 0; at < bytes; at++) {
            value |= Byte.toUnsignedLong(in.get()) << 8 * at;
        }
        int unused = 64 - 8 * bytes;
        return bytes == 0 ? 0 : value << unused >> unused;
    }

    private String text(long bytes) {
        if (bytes > in.remaining()) {
            throw malformed("a text of " + bytes + " bytes reaches beyond the end");
        }
        ByteBuffer part = in.slice(in.position(), (int) bytes);
        in.position(in.position() + (int) bytes);
        try {
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(part);
            return text.toString();
        } catch (CharacterCodingException ignored) {
            throw malformed("a text is no UTF-8");
        }
    }

    private String line() {
        StringBuilder line = new StringBuilder();
        for (char next = (char) in.get(); next != '\n'; next = (char) in.get()) {
            if (line.length() == MAX_NAME || next < ' ' || next > '~') {
                throw malformed("a name has at most " + MAX_NAME + " characters of ASCII");
            }
            line.append(next);
        }
        return line.toString();
    }

    private Object peek() {
        if (stack.isEmpty() || stack.getLast() == MARK) {
            throw malformed("a value is missing");
        }
        return stack.getLast();
    }

    private Object pop() {
        Object value = peek();
        stack.removeLast();
        return value;
    }

    private List<Object> popToMark() {
        int mark = stack.lastIndexOf(MARK);
        if (mark < 0) {
            throw malformed("a MARK is missing");
        }
        List<Object> behind = stack.subList(mark + 1, stack.size());
        List<Object> parts = List.copyOf(behind);
        stack.subList(mark, stack.size()).clear();
        return parts;
    }

    private void tuple(int count) {
        Object[] parts = new Object[count];
        for (int at = count - 1; at >= 0; at--) {
            parts[at] = pop();
        }
        stack.add(new Tuple(List.of(parts)));
    }

    private Object remembered(int place) {
        Object value = memo.get(place);
        if (value == null) {
            throw malformed("nothing was remembered at " + Integer.toUnsignedString(place));
        }
        return value;
    }

    private void setItem() {
        Object value = pop();
        Object key = pop();
        put(peek(), key, value);
    }

    private void setItems() {
        List<Object> parts = popToMark();
        Object target = peek();
        if (parts.size() % 2 != 0) {
            throw malformed("a key has no value");
        }
        for (int at = 0; at < parts.size(); at += 2) {
            put(target, parts.get(at), parts.get(at + 1));
        }
    }

    private void put(Object target, Object key, Object value) {
        if (!(target instanceof Dict dict) || !(key instanceof String || key instanceof Long)) {
            throw malformed("expected an entry of a dict by a text or an integer, got a key that is " + kind(key)
                    + " for " + kind(target));
        }
        if (dict.entries.put(key, value) != null) {
            throw malformed("the key " + Json.quote(key.toString()) + " comes twice");
        }
    }

    // ---- names

    private Object global(String module, String function) {
        TorchDtypes.Elements known = null;
        switch (module + " " + function) {
            case "collections OrderedDict" -> {
                return Function.ORDERED_DICT;
            }
            case "torch._utils _rebuild_tensor_v2" -> {
                return Function.REBUILD_TENSOR_V2;
            }
            case "torch._utils _rebuild_tensor_v3" -> {
                return Function.REBUILD_TENSOR_V3;
            }
            case "torch._utils _rebuild_parameter" -> {
                return Function.REBUILD_PARAMETER;
            }
            case "torch.storage UntypedStorage" -> {
                return new StorageClass(null);
            }
            default -> {
                if (module.equals("torch")) {
                    known = TorchDtypes.ofStorage(function);
                }
            }
        }
        if (known != null) {
            return new StorageClass(known);
        }
        TorchDtypes.Elements dtype = module.equals("torch") ? TorchDtypes.ofName(function) : null;
        if (dtype == null) {
            throw malformed("the name " + Json.quote(module + "." + function)
                    + " is none of a state dict; nothing of it was run");
        }
        return dtype;
    }

    private void stackGlobal() {
        Object function = pop();
        Object module = pop();
        if (!(module instanceof String from && function instanceof String called)
                || from.length() > MAX_NAME
                || called.length() > MAX_NAME) {
            throw malformed("expected two texts of at most " + MAX_NAME + " characters for a name");
        }
        stack.add(global(from, called));
    }

    private Storage storage(Object id) {
        if (id instanceof Tuple tuple
                && tuple.parts().size() == 5
                && tuple.parts().get(0).equals("storage")
                && tuple.parts().get(1) instanceof StorageClass type
                && tuple.parts().get(2) instanceof String key
                && tuple.parts().get(3) instanceof String
                && tuple.parts().get(4) instanceof Long count
                && count >= 0) {
            if (!key.matches("\\d{1,10}")) {
                throw malformed("expected a number for the name of a storage, got " + Json.quote(key));
            }
            int unit = type.elements() == null ? 1 : type.elements().bytes();
            return new Storage(key, unit, count, type.elements());
        }
        throw malformed("expected ('storage', class, name, place, count) for a storage");
    }

    private void reduce() {
        Object arguments = pop();
        Object called = pop();
        if (!(called instanceof Function function) || !(arguments instanceof Tuple tuple)) {
            throw malformed("expected a call of a function of state dicts, got one of " + kind(called));
        }
        List<Object> parts = tuple.parts();
        stack.add(
                switch (function) {
                    case ORDERED_DICT -> orderedDict(parts);
                    case REBUILD_TENSOR_V2 -> tensor(parts, 6);
                    case REBUILD_TENSOR_V3 -> tensor(parts, 7);
                    case REBUILD_PARAMETER -> parameter(parts);
                });
    }

    private Dict orderedDict(List<Object> arguments) {
        if (!arguments.isEmpty()) {
            throw malformed(
                    "expected an OrderedDict that is empty at first, got one of " + arguments.size() + " arguments");
        }
        return new Dict(true);
    }

    private Tensor parameter(List<Object> arguments) {
        if (arguments.size() == 3
                && arguments.get(0) instanceof Tensor tensor
                && arguments.get(1) instanceof Boolean
                && isEmptyDict(arguments.get(2))) {
            return tensor;
        }
        throw malformed("expected (tensor, requires_grad, hooks) for a parameter");
    }

    /** @param min the number of arguments; one more argument, metadata, may follow if it is None or an empty dict */
    private Tensor tensor(List<Object> arguments, int min) {
        boolean fits = (arguments.size() == min || arguments.size() == min + 1 && isNothing(arguments.get(min)))
                && arguments.get(0) instanceof Storage
                && arguments.get(1) instanceof Long
                && arguments.get(2) instanceof Tuple
                && arguments.get(3) instanceof Tuple
                && arguments.get(4) instanceof Boolean
                && isEmptyDict(arguments.get(5))
                && (min == 6 || arguments.get(6) instanceof TorchDtypes.Elements);
        if (!fits) {
            throw malformed("expected (storage, offset, sizes, strides, requires_grad, hooks) for a tensor");
        }
        Storage storage = (Storage) arguments.get(0);
        TorchDtypes.Elements elements = min == 6 ? storage.elements() : (TorchDtypes.Elements) arguments.get(6);
        if (elements == null) {
            throw malformed("a tensor of an untyped storage has no dtype");
        }
        long[] sizes = sizes((Tuple) arguments.get(2));
        long[] strides = sizes((Tuple) arguments.get(3));
        long offset = (Long) arguments.get(1);
        if (sizes.length != strides.length || offset < 0) {
            throw malformed(
                    "a tensor has " + sizes.length + " sizes, " + strides.length + " strides and offset " + offset);
        }
        return new Tensor(storage, elements, offset, sizes, strides);
    }

    private long[] sizes(Tuple tuple) {
        if (tuple.parts().size() > Shape.MAX_RANK) {
            throw malformed("a tensor has at most " + Shape.MAX_RANK + " dimensions, got "
                    + tuple.parts().size());
        }
        long[] sizes = new long[tuple.parts().size()];
        for (int dim = 0; dim < sizes.length; dim++) {
            if (!(tuple.parts().get(dim) instanceof Long size) || size < 0) {
                throw malformed("expected sizes and strides from 0 on");
            }
            sizes[dim] = size;
        }
        return sizes;
    }

    private static boolean isEmptyDict(Object value) {
        return value instanceof Dict dict && dict.entries.isEmpty();
    }

    private static boolean isNothing(Object value) {
        return value == NONE || isEmptyDict(value);
    }

    /** Reads and drops the metadata of a state dict, its only attribute. */
    private void build() {
        Object state = pop();
        boolean isMetadata = peek() instanceof Dict dict
                && dict.isOrdered
                && state instanceof Dict attributes
                && attributes.entries.size() == 1
                && attributes.entries.get("_metadata") instanceof Dict;
        if (!isMetadata) {
            throw malformed("the instruction BUILD may only give an OrderedDict its _metadata");
        }
    }

    // ---- the result

    private Map<String, Tensor> stateDict(Object result) {
        if (!(result instanceof Dict dict)) {
            throw malformed("expected a state dict, got " + kind(result));
        }
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        dict.entries.forEach((key, value) -> {
            if (!(key instanceof String text) || !(value instanceof Tensor tensor)) {
                throw malformed("expected tensors by names, got " + kind(value) + " for "
                        + Json.quote(String.valueOf(key)) + "; save the model's state_dict() alone");
            }
            tensors.put(text, tensor);
        });
        return tensors;
    }

    /** Returns the kind of a value for errors, without its parts. */
    private static String kind(Object value) {
        return switch (value) {
            case Dict dict -> "a dict";
            case Tuple tuple -> "a tuple";
            case Tensor tensor -> "a tensor";
            case Storage storage -> "a storage";
            case String text -> "a text";
            case Long number -> "an integer";
            case Boolean flag -> "a boolean";
            case Function function -> "a function";
            case StorageClass type -> "a class of storages";
            case TorchDtypes.Elements dtype -> "a dtype";
            default -> value == NONE ? "None" : "a mark";
        };
    }
}
