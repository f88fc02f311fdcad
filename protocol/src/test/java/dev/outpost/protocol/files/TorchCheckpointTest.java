package dev.outpost.protocol.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.Trials;
import dev.outpost.protocol.files.TorchFile.Pickle;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads files that torch saved (make_torch_fixtures.py in models), and files that an attacker could make. */
class TorchCheckpointTest {
    private static final byte[] EIGHT_FLOATS = new byte[32];

    private static byte[] saved(String name) throws IOException {
        try (InputStream in = TorchCheckpointTest.class.getResourceAsStream("/torch/" + name)) {
            return in.readAllBytes();
        }
    }

    private static TorchCheckpoint read(byte[] bytes) {
        try {
            return TorchCheckpoint.read(new ReadableArray("f.bin", bytes));
        } catch (IOException failure) {
            // A read of an array cannot fail.
            throw new UncheckedIOException(failure);
        }
    }

    private static void refused(String why, byte[] bytes) {
        String message =
                assertThrows(MalformedException.class, () -> read(bytes)).getMessage();
        assertTrue(message.contains("f.bin") && message.contains(why), message + " | " + why);
    }

    private static void refusedPickle(String why, byte[] pickle) {
        refused(why, TorchFile.of(pickle).with("archive/data/0", EIGHT_FLOATS).bytes());
    }

    /** The elements of a float tensor, row-major. */
    private static List<Float> floats(byte[] file, StoredTensor tensor) {
        List<Float> values = new ArrayList<>();
        Shape shape = tensor.type().shape();
        for (long element = 0; element < shape.elements(); element++) {
            long rest = element;
            long place = 0;
            for (int dim = shape.rank() - 1; dim >= 0; dim--) {
                place += rest % shape.size(dim) * tensor.strides().get(dim);
                rest /= shape.size(dim);
            }
            values.add(ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getFloat((int)
                    (tensor.begin() + place * Float.BYTES)));
        }
        return values;
    }

    @ParameterizedTest
    @ValueSource(strings = {"module.bin", "protocol4.bin", "protocol5.bin"})
    void aStateDictIsRead(String name) throws IOException {
        byte[] file = saved(name);
        TorchCheckpoint checkpoint = read(file);
        assertEquals(
                List.of(
                        "0.weight",
                        "0.bias",
                        "1.weight",
                        "1.bias",
                        "1.running_mean",
                        "1.running_var",
                        "1.num_batches_tracked"),
                List.copyOf(checkpoint.tensors().keySet()));
        StoredTensor weight = checkpoint.tensors().get("0.weight");
        assertEquals(new TensorType(DType.FLOAT32, Shape.of(3, 2)), weight.type());
        assertEquals(List.of(0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f), floats(file, weight));
        assertEquals(
                new TensorType(DType.INT64, Shape.SCALAR),
                checkpoint.tensors().get("1.num_batches_tracked").type());
        assertEquals(Map.of(), checkpoint.unsupported());
    }

    @Test
    void parametersViewsAndSharedStoragesAreRead() throws IOException {
        byte[] file = saved("views.bin");
        Map<String, StoredTensor> tensors = read(file).tensors();
        assertEquals(List.of(1f, -2f), floats(file, tensors.get("parameter")));
        assertEquals(List.of(0f, 3f, 1f, 4f, 2f, 5f), floats(file, tensors.get("transposed")));
        assertEquals(List.of(7f, 7f, 7f), floats(file, tensors.get("expanded")));
        assertEquals(List.of(4f, 5f, 6f, 7f), floats(file, tensors.get("middle")));
        assertEquals(List.of(0f, 3f, 6f, 9f), floats(file, tensors.get("steps")));
        assertEquals(
                List.of(0f, 4f, 8f, 12f, 16f, 20f),
                floats(file, tensors.get("cube")).subList(0, 6));
        assertEquals(tensors.get("all").begin() + 16, tensors.get("middle").begin());
        assertEquals(0, tensors.get("empty").bytes());
    }

    @Test
    void dtypesThatOutpostLacksAreLeftOut() throws IOException {
        TorchCheckpoint checkpoint = read(saved("dtypes.bin"));
        assertEquals(
                Map.of("float8", "float8_e4m3fn", "uint16", "uint16", "complex", "complex64"),
                checkpoint.unsupported());
        assertEquals(
                Set.of("float64", "float16", "bfloat16", "int32", "int16", "int8", "uint8", "bool"),
                checkpoint.tensors().keySet());
        checkpoint
                .tensors()
                .forEach((name, tensor) ->
                        assertEquals(name, tensor.type().dtype().label(), tensor::toString));
    }

    @Test
    void whatIsNoStateDictIsRefusedByName() throws IOException {
        refused("expected a zip file as torch.save writes it since version 1.6", saved("legacy.bin"));
        refused("got a dict for \"state_dict\"; save the model's state_dict() alone", saved("training.bin"));
        refused("the name \"torch.nn.modules.container.Sequential\" is none of a state dict", saved("object.bin"));
        refused("it is a program of TorchScript", saved("script.bin"));
    }

    @Test
    void placeholdersAreNamed() {
        refused(
                "is a pointer of Git LFS",
                "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 7\n".getBytes());
        refused("is a page of HTML", "\n<!DOCTYPE html><html>log in</html>".getBytes());
    }

    // ---- pickles that torch never writes

    @Test
    void noFunctionIsCalled() {
        for (String[] name : new String[][] {
            {"os", "system"},
            {"posix", "system"},
            {"builtins", "eval"},
            {"builtins", "getattr"},
            {"__builtin__", "exec"},
            {"subprocess", "Popen"},
            {"torch", "load"},
            {"torch.hub", "load"},
            {"torch._utils", "_rebuild_tensor"},
            {"torch.storage", "_load_from_bytes"},
            {"collections", "Counter"},
            {"collections.OrderedDict", ""},
            {"java.lang.Runtime", "exec"},
        }) {
            for (int protocol = 2; protocol <= 5; protocol++) {
                refusedPickle(
                        "the name \"" + name[0] + "." + name[1] + "\" is none of a state dict; nothing of it was run",
                        Pickle.of(protocol)
                                .global(name[0], name[1])
                                .raw('(')
                                .text("id")
                                .raw('t', 'R')
                                .end());
                refusedPickle(
                        "the name \"" + name[0] + "." + name[1] + "\" is none of a state dict",
                        Pickle.of(protocol)
                                .text(name[0])
                                .text(name[1])
                                .raw(0x93, '(')
                                .text("id")
                                .raw('t', 'R')
                                .end());
            }
        }
    }

    @Test
    void aNestedFunctionIsNotCalled() {
        byte[] inner = Pickle.of(2)
                .raw('}', '(')
                .text("x")
                .global("os", "system")
                .raw('(')
                .text("id")
                .raw('t', 'R', 'u')
                .end();
        refusedPickle("the name \"os.system\"", inner);
        refusedPickle(
                "the instruction BINBYTES is none of a state dict",
                Pickle.of(3).raw('B').wide(inner.length).bytes(inner).end());
    }

    @Test
    void protocols0And1AreRefused() {
        refusedPickle(
                "expected a pickle of protocol 2 to 5",
                Pickle.bare().ascii("cos\nsystem\n(S'id'\ntR").end());
        refusedPickle(
                "expected a pickle of protocol 2 to 5",
                Pickle.bare().ascii("}q\0").end());
        refusedPickle(
                "expected protocol 2 to 5 once, got 1", Pickle.of(1).raw('}').end());
        refusedPickle(
                "expected protocol 2 to 5 once, got 6", Pickle.of(6).raw('}').end());
        refusedPickle(
                "expected protocol 2 to 5 once", Pickle.of(2).raw(0x80, 2, '}').end());
    }

    @Test
    void everyOtherInstructionIsRefusedByName() {
        Map<Integer, String> others = Map.ofEntries(
                Map.entry((int) 'i', "INST"),
                Map.entry((int) 'o', "OBJ"),
                Map.entry(0x81, "NEWOBJ"),
                Map.entry(0x92, "NEWOBJ_EX"),
                Map.entry(0x82, "EXT1"),
                Map.entry(0x83, "EXT2"),
                Map.entry(0x84, "EXT4"),
                Map.entry((int) 'P', "PERSID"),
                Map.entry((int) 'S', "STRING"),
                Map.entry((int) 'T', "BINSTRING"),
                Map.entry((int) 'U', "SHORT_BINSTRING"),
                Map.entry((int) 'V', "UNICODE"),
                Map.entry((int) 'F', "FLOAT"),
                Map.entry((int) 'G', "BINFLOAT"),
                Map.entry((int) 'I', "INT"),
                Map.entry((int) 'L', "LONG"),
                Map.entry(0x8b, "LONG4"),
                Map.entry((int) 'd', "DICT"),
                Map.entry((int) 'l', "LIST"),
                Map.entry((int) ']', "EMPTY_LIST"),
                Map.entry((int) 'a', "APPEND"),
                Map.entry((int) 'e', "APPENDS"),
                Map.entry((int) '0', "POP"),
                Map.entry((int) '1', "POP_MARK"),
                Map.entry((int) '2', "DUP"),
                Map.entry((int) 'g', "GET"),
                Map.entry((int) 'p', "PUT"),
                Map.entry(0x8d, "BINUNICODE8"),
                Map.entry(0x8e, "BINBYTES8"),
                Map.entry(0x8f, "EMPTY_SET"),
                Map.entry(0x90, "ADDITEMS"),
                Map.entry(0x91, "FROZENSET"),
                Map.entry(0x96, "BYTEARRAY8"),
                Map.entry(0x97, "NEXT_BUFFER"),
                Map.entry(0x98, "READONLY_BUFFER"),
                Map.entry(0xff, "0xff"));
        others.forEach((code, name) -> refusedPickle(
                "the instruction " + name + " is none of",
                Pickle.of(4).raw(code).end()));
    }

    @Test
    void bombsAreBounded() {
        // Each value holds the previous one twice, so a walk of the whole object takes exponential time.
        Pickle laughs = Pickle.of(2).raw(')', 'q', 0);
        for (int depth = 0; depth < 200; depth++) {
            laughs.raw('h', 0, 'h', 0, 0x86, 'q', 0);
        }
        refusedPickle("something is left behind its end", laughs.end());
        Pickle deep = Pickle.of(2).raw(')');
        for (int depth = 0; depth < 100_000; depth++) {
            deep.raw(0x85);
        }
        refusedPickle("expected a state dict, got a tuple", deep.end());
        byte[] many = new byte[StateDictPickle.MAX_STEPS + 3];
        Arrays.fill(many, (byte) 'N');
        many[0] = (byte) 0x80;
        many[1] = 2;
        refusedPickle("a state dict takes at most 2000000 instructions", many);
        refusedPickle(
                "a text of 4294967295 bytes reaches beyond",
                Pickle.of(2).raw('X').wide(-1).end());
        refusedPickle(
                "a text of 2147483647 bytes",
                Pickle.of(2).raw('X').wide(Integer.MAX_VALUE).end());
        refusedPickle(
                "an integer has at most 8 bytes, got 255",
                Pickle.of(2).raw(0x8a, 255).end());
        refusedPickle(
                "a frame of 18446744073709551615 bytes",
                Pickle.of(4).raw(0x95).wide(-1).wide(-1).end());
        refusedPickle(
                "nothing was remembered at 4294967295",
                Pickle.of(2).raw('j').wide(-1).end());
        refusedPickle(
                "expected tensors by names, got None",
                Pickle.of(2).raw('}').text("x").raw('N', 'r').wide(-1).raw('s').end());
    }

    @Test
    void brokenPicklesAreRefused() {
        refusedPickle("it ends within an instruction", new byte[] {(byte) 0x80, 2});
        refusedPickle("a value is missing", Pickle.of(2).end());
        refusedPickle("a MARK is missing", Pickle.of(2).raw('t').end());
        refusedPickle("a value is missing", Pickle.of(2).raw('(').end());
        refusedPickle(
                "something is left behind its end", Pickle.of(2).raw('}', '}').end());
        refusedPickle(
                "something is left behind its end",
                Pickle.of(2).raw('}', '.', 0).end());
        refusedPickle(
                "a key has no value",
                Pickle.of(2).raw('}', '(').text("x").raw('u').end());
        refusedPickle(
                "the key \"x\" comes twice",
                Pickle.of(2)
                        .raw('}', '(')
                        .text("x")
                        .raw('N')
                        .text("x")
                        .raw('N', 'u')
                        .end());
        refusedPickle(
                "a key that is a tuple", Pickle.of(2).raw('}', ')', 'N', 's').end());
        refusedPickle("got one of a dict", Pickle.of(2).raw('}', ')', 'R').end());
        refusedPickle(
                "a text is no UTF-8", Pickle.of(2).raw('X').wide(1).raw(0xff).end());
        refusedPickle(
                "may only give an OrderedDict its _metadata",
                Pickle.of(2).raw('}', '}', 'b').end());
        refusedPickle(
                "may only give an OrderedDict its _metadata",
                Pickle.of(2)
                        .global("collections", "OrderedDict")
                        .raw(')', 'R', '}')
                        .text("__class__")
                        .raw('}', 's', 'b')
                        .end());
        refusedPickle(
                "expected an OrderedDict that is empty",
                Pickle.of(2)
                        .global("collections", "OrderedDict")
                        .raw('}', 0x85, 'R')
                        .end());
        refusedPickle(
                "got a tensor",
                Pickle.of(2).tensor(8, 0, new long[] {8}, new long[] {1}).end());
        refusedPickle(
                "a name has at most 256 characters",
                Pickle.of(2).global("o".repeat(300), "x").end());
    }

    // ---- storages

    private static byte[] one(long count, long offset, long[] sizes, long[] strides) {
        return Pickle.of(2)
                .raw('}')
                .text("x")
                .tensor(count, offset, sizes, strides)
                .raw('s')
                .end();
    }

    @Test
    void aTensorLiesWithinItsStorage() throws IOException {
        assertEquals(
                Shape.of(2, 4),
                read(TorchFile.of(one(8, 0, new long[] {2, 4}, new long[] {4, 1}))
                                .with("archive/data/0", EIGHT_FLOATS)
                                .bytes())
                        .tensors()
                        .get("x")
                        .type()
                        .shape());
        String beyond = "reaches beyond";
        refusedPickle(beyond, one(8, 1, new long[] {8}, new long[] {1}));
        refusedPickle(beyond, one(8, 0, new long[] {9}, new long[] {1}));
        refusedPickle(beyond, one(8, 0, new long[] {3}, new long[] {4}));
        refusedPickle(beyond, one(8, 9, new long[] {0}, new long[] {1}));
        refusedPickle(beyond, one(8, Long.MAX_VALUE, new long[] {1}, new long[] {1}));
        refusedPickle(beyond, one(8, 0, new long[] {1L << 62, 4}, new long[] {1L << 62, 1L << 62}));
        refusedPickle("repeats its elements to 4398046511104 bytes", one(8, 0, new long[] {1L << 40}, new long[] {0}));
        refusedPickle("has 1 sizes, 1 strides and offset -1", one(8, -1, new long[] {8}, new long[] {1}));
        refusedPickle("expected sizes and strides from 0 on", one(8, 7, new long[] {8}, new long[] {-1}));
        refusedPickle("expected sizes and strides from 0 on", one(8, 0, new long[] {-8}, new long[] {1}));
        refusedPickle("has 2 sizes, 1 strides", one(8, 0, new long[] {8, 1}, new long[] {1}));
        refusedPickle("a tensor has at most", one(8, 0, new long[100], new long[100]));
        refusedPickle(
                "the number of elements overflows", one(8, 0, new long[] {1L << 62, 1L << 62}, new long[] {0, 0}));
        refusedPickle(
                "storage 0 has 7 elements of 4 bytes, and the file has 32", one(7, 0, new long[] {7}, new long[] {1}));
        refusedPickle(
                "storage 0 has 4611686018427387905 elements", one((1L << 62) + 1, 0, new long[] {1}, new long[] {1}));
        refusedPickle("expected ('storage', class, name, place, count)", one(-1, 0, new long[] {1}, new long[] {1}));
        refused(
                "and the file lacks it",
                TorchFile.of(one(8, 0, new long[] {8}, new long[] {1})).bytes());
    }

    /** Each tensor is within the size of the file; a thousand of them would take memory for a thousand files. */
    @Test
    void sharedStoragesAreBoundedInTotal() {
        byte[] storage = new byte[4 << 20];
        int elements = storage.length / Float.BYTES;
        long[][][] views = {{{elements}, {1}}, {{elements}, {0}}};
        for (long[][] view : views) {
            refused(
                    "tensor \"x16\" and those before it take",
                    TorchFile.of(shared(1_000, elements, view[0], view[1]))
                            .with("archive/data/0", storage)
                            .bytes());
        }
        assertEquals(
                16,
                read(TorchFile.of(shared(16, elements, views[0][0], views[0][1]))
                                .with("archive/data/0", storage)
                                .bytes())
                        .tensors()
                        .size());
    }

    private static byte[] shared(int tensors, long count, long[] sizes, long[] strides) {
        Pickle pickle = Pickle.of(2).raw('}', '(');
        for (int i = 0; i < tensors; i++) {
            pickle.text("x" + i).tensor(count, 0, sizes, strides);
        }
        return pickle.raw('u').end();
    }

    @Test
    void aStorageIsANumberedEntry() {
        for (String key : new String[] {"../0", "/etc/passwd", "0/../../x", "..\\0", "", "-1", "0x0", "12345678901"}) {
            byte[] pickle = Pickle.of(2)
                    .raw('}')
                    .text("x")
                    .storage("FloatStorage", key, 8)
                    .raw('s')
                    .end();
            refusedPickle("expected a number for the name of a storage", pickle);
        }
        byte[] twice = Pickle.of(2)
                .raw('}', '(')
                .text("x")
                .tensor(8, 0, new long[] {8}, new long[] {1})
                .text("y")
                .tensor(4, 0, new long[] {4}, new long[] {1})
                .raw('u')
                .end();
        refusedPickle("storage 0 is described in two ways", twice);
    }

    // ---- zip files

    private static TorchFile sound() {
        return TorchFile.of(one(8, 0, new long[] {8}, new long[] {1})).with("archive/data/0", EIGHT_FLOATS);
    }

    @Test
    void zipFilesThatTorchNeverWritesAreRefused() {
        byte[] sound = sound().bytes();
        refused("is compressed, and torch stores entries as they are", sound().bytes(ZipEntry.DEFLATED));
        refused("it does not end like a zip file", Arrays.copyOf(sound, sound.length - 1));
        refused("does not end like a zip file", Arrays.copyOf(sound, sound.length + 7));
        refused("it ends before a zip file could", Arrays.copyOf(sound, 20));
        for (String path :
                new String[] {"../x", "/x", "archive/../x", "archive//x", "archive\\x", "c:/x", "archive/"}) {
            refused(
                    "expected entries with plain paths",
                    sound().with(path, new byte[1]).bytes());
        }
        refused(
                "is not in the folder \"archive\"",
                sound().with("other/x", new byte[1]).bytes());
        refused(
                "expected one entry */data.pkl, got 2",
                sound().with("other/data.pkl", new byte[1]).bytes());
        refused(
                "expected one entry */data.pkl, got 0",
                new TorchFile().with("archive/x", new byte[1]).bytes());
        refused(
                "its byte order is \"big\"",
                sound().with("archive/byteorder", "big".getBytes()).bytes());
        refused(
                "it is a program of TorchScript",
                sound().with("archive/code/x.py", new byte[1]).bytes());
    }

    private static int find(byte[] bytes, int signature, int from) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = from; at < bytes.length - 3; at++) {
            if (in.getInt(at) == signature) {
                return at;
            }
        }
        throw new AssertionError("no such record");
    }

    @Test
    void aDirectoryThatLiesIsRefused() {
        byte[] sound = sound().bytes();
        int central = find(sound, 0x02014b50, 0);
        int second = find(sound, 0x02014b50, central + 1);
        int end = find(sound, 0x06054b50, 0);
        Map<Integer, Integer> changes = Map.of(
                central + 24, 0x7fffffff, // a size beyond the file
                central + 20, 1, // compressed to one byte
                central + 42, 0x7fffffff, // an entry beyond the file
                central + 8, 0x00000801, // encrypted
                central + 28, 0x0000ffff, // a name beyond the directory
                second + 42, 0, // the storage is the pickle
                end + 12, 0x7fffffff, // a directory beyond the file
                end + 16, 0x7fffffff, // at a place beyond the file
                end + 10, 0x00007fff, // more entries than there are
                central + 16, 0); // another checksum
        changes.forEach((at, value) -> {
            byte[] lying = sound.clone();
            ByteBuffer.wrap(lying).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
            assertThrows(MalformedException.class, () -> read(lying), "at " + at);
        });
    }

    @Test
    void storagesLieApart() {
        byte[] file = TorchFile.of(Pickle.of(2)
                        .raw('}', '(')
                        .text("x")
                        .tensor(8, 0, new long[] {8}, new long[] {1})
                        .raw('u')
                        .end())
                .with("archive/data/0", EIGHT_FLOATS)
                .bytes();
        assertArrayEquals(file, file.clone());
        int local = find(file, 0x04034b50, 1);
        // The name before the bytes differs from that in the directory.
        file[local + 30] ^= 1;
        refused("is another one where it begins", file);
    }

    /** A mutated file is either valid, with tensors within the file, or refused; nothing else is thrown. */
    @Test
    void mutatedFilesAreReadOrRefused() throws IOException {
        for (String name : List.of("module.bin", "views.bin", "dtypes.bin", "protocol4.bin")) {
            byte[] sound = saved(name);
            Trials.repeat(2_000, 1, random -> {
                byte[] mutated = sound.clone();
                for (int change = random.nextInt(1, 4); change > 0; change--) {
                    mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
                }
                try {
                    read(mutated).tensors().values().forEach(tensor -> {
                        assertTrue(tensor.begin() >= 0 && tensor.begin() <= tensor.end());
                        assertTrue(tensor.end() <= mutated.length);
                    });
                } catch (MalformedException expected) {
                    // A malformed file must be refused in this way.
                }
            });
        }
    }

    /** The pickle is mutated and its checksum corrected, so that the instructions are reached. */
    @Test
    void mutatedPicklesAreReadOrRefused() throws IOException {
        for (String name : List.of("module.bin", "views.bin", "dtypes.bin", "protocol5.bin")) {
            byte[] file = saved(name);
            byte[] pickle = pickle(file);
            Trials.repeat(5_000, 2, random -> {
                byte[] mutated =
                        Arrays.copyOf(pickle, random.nextInt(8) == 0 ? random.nextInt(pickle.length) : pickle.length);
                for (int change = random.nextInt(1, 4); change > 0 && mutated.length > 0; change--) {
                    mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
                }
                try {
                    StateDictPickle.read("f.bin", mutated);
                } catch (MalformedException expected) {
                    // A malformed file must be refused in this way.
                }
            });
        }
    }

    private static byte[] pickle(byte[] file) throws IOException {
        ReadableArray readable = new ReadableArray("f.bin", file);
        ZipIndex index = ZipIndex.read(readable);
        ZipIndex.Entry entry = index.entries().values().stream()
                .filter(each -> each.name().endsWith("/data.pkl"))
                .findFirst()
                .orElseThrow();
        return readable.read(index.begin(entry), (int) entry.size());
    }
}
