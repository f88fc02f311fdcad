package dev.outpost.protocol.files;

import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.LongStream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The tensors of a state dict in a file of {@code torch.save}, for example {@code pytorch_model.bin}. The file is a zip file with a pickle
 * of names and an entry for each storage. The pickle is not executed ({@link StateDictPickle}). Storages, offsets and sizes are compared
 * with the file before anything relies on them.
 *
 * @param tensors the tensors by name, in the order of the state dict
 * @param unsupported the tensors of unsupported dtypes: torch's name of the dtype by the tensor's name
 */
public record TorchCheckpoint(Map<String, StoredTensor> tensors, Map<String, String> unsupported) {
    /** The maximum length of a pickle, in bytes. */
    public static final int MAX_PICKLE_BYTES = 32 << 20;

    /**
     * The maximum size of all tensors together, as a multiple of the size of the file. A model may use one embedding for its input and its
     * output, but few other tensors share elements.
     */
    private static final int MAX_TIMES_OF_THE_FILE = 16;

    private static final String PICKLE = "/data.pkl";
    /** The number of headers of entries that are read at the same time. */
    private static final int READS_AT_ONCE = 16;

    /**
     * Reads the names and positions of the tensors.
     *
     * @throws MalformedException if the file is malformed; the message has the file's name
     */
    public static TorchCheckpoint read(ReadableBytes file) throws IOException {
        byte[] beginning = file.read(0, (int) Math.min(Placeholders.BYTES, file.size()));
        Placeholders.require(file.name(), beginning);
        if (beginning.length < 4 || beginning[0] != 'P' || beginning[1] != 'K') {
            throw new MalformedException(
                    file.name() + ": expected a zip file as torch.save writes it since version 1.6;"
                            + " load an older one with torch.load(..., weights_only=True), and save it again, best as safetensors");
        }
        ZipIndex index = ZipIndex.read(file);
        String folder = folder(file, index);
        byte[] pickle =
                small(file, index, Objects.requireNonNull(index.entries().get(folder + PICKLE)), MAX_PICKLE_BYTES);
        Map<String, StateDictPickle.Tensor> tensors = StateDictPickle.read(file.name() + PICKLE, pickle);
        Map<String, Long> begins = begins(file, index, folder, tensors);
        Map<String, StoredTensor> stored = new LinkedHashMap<>();
        Map<String, String> unsupported = new LinkedHashMap<>();
        long[] total = {0};
        tensors.forEach((name, tensor) -> {
            String what = file.name() + ": tensor " + Json.quote(name);
            long last = lastElement(what, tensor);
            DType dtype = tensor.elements().dtype();
            if (dtype == null) {
                unsupported.put(name, tensor.elements().name());
            } else {
                StoredTensor one = stored(
                        what,
                        name,
                        dtype,
                        tensor,
                        last,
                        Objects.requireNonNull(begins.get(tensor.storage().key())));
                requireBounded(what, one.type(), file.size());
                total[0] += one.type().bytes();
                requireTotal(what, total[0], file.size());
                stored.put(name, one);
            }
        });
        return new TorchCheckpoint(Collections.unmodifiableMap(stored), Collections.unmodifiableMap(unsupported));
    }

    /** Returns the one folder that all entries are in. */
    private static String folder(ReadableBytes file, ZipIndex index) throws IOException {
        List<String> pickles = index.entries().keySet().stream()
                .filter(name -> name.endsWith(PICKLE) && name.indexOf('/') == name.length() - PICKLE.length())
                .toList();
        if (pickles.size() != 1) {
            throw new MalformedException(file.name() + ": expected one entry */data.pkl, got " + pickles.size());
        }
        String folder = pickles.get(0).substring(0, pickles.get(0).length() - PICKLE.length());
        for (String name : index.entries().keySet()) {
            if (!name.startsWith(folder + "/")) {
                throw new MalformedException(
                        file.name() + ": entry " + Json.quote(name) + " is not in the folder " + Json.quote(folder));
            }
            if (name.startsWith(folder + "/code/") || name.equals(folder + "/constants.pkl")) {
                throw new MalformedException(file.name()
                        + ": it is a program of TorchScript, not a state dict; save the model's state_dict()");
            }
        }
        ZipIndex.Entry order = index.entries().get(folder + "/byteorder");
        if (order != null) {
            String text = new String(small(file, index, order, 16), StandardCharsets.UTF_8);
            if (!text.equals("little")) {
                throw new MalformedException(
                        file.name() + ": its byte order is " + Json.quote(text) + ", only \"little\" can be read");
            }
        }
        return folder;
    }

    private static byte[] small(ReadableBytes file, ZipIndex index, ZipIndex.Entry entry, int max) throws IOException {
        if (entry.size() > max) {
            throw new MalformedException(file.name() + ": entry " + Json.quote(entry.name()) + " has at most " + max
                    + " bytes, got " + entry.size());
        }
        byte[] bytes = file.read(index.begin(entry), (int) entry.size());
        CRC32 sum = new CRC32();
        sum.update(bytes);
        if ((int) sum.getValue() != entry.crc()) {
            throw new MalformedException(
                    file.name() + ": entry " + Json.quote(entry.name()) + " has another checksum than the file says");
        }
        return bytes;
    }

    // ---- storages

    /**
     * Returns the positions at which the storages begin, by their keys. Reads several headers at once, because the file may be in a remote
     * store.
     */
    private static Map<String, Long> begins(
            ReadableBytes file, ZipIndex index, String folder, Map<String, StateDictPickle.Tensor> tensors)
            throws IOException {
        Map<String, StateDictPickle.Storage> storages = new LinkedHashMap<>();
        tensors.values().forEach(tensor -> add(file, tensor.storage(), storages));
        Map<String, Future<Long>> reading = new LinkedHashMap<>();
        Semaphore room = new Semaphore(READS_AT_ONCE);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (StateDictPickle.Storage storage : storages.values()) {
                ZipIndex.Entry entry =
                        requireSize(file, storage, index.entries().get(folder + "/data/" + storage.key()));
                reading.put(storage.key(), threads.submit(() -> {
                    room.acquire();
                    try {
                        return index.begin(entry);
                    } finally {
                        room.release();
                    }
                }));
            }
            Map<String, Long> begins = new HashMap<>();
            for (Map.Entry<String, Future<Long>> each : reading.entrySet()) {
                begins.put(each.getKey(), result(each.getValue()));
            }
            requireApart(file, begins, storages);
            return begins;
        }
    }

    private static void add(
            ReadableBytes file, StateDictPickle.Storage storage, Map<String, StateDictPickle.Storage> storages) {
        StateDictPickle.Storage other = storages.putIfAbsent(storage.key(), storage);
        if (other != null && !other.equals(storage)) {
            throw new MalformedException(file.name() + ": storage " + storage.key() + " is described in two ways");
        }
    }

    private static void requireApart(
            ReadableBytes file, Map<String, Long> begins, Map<String, StateDictPickle.Storage> storages) {
        long end = 0;
        for (Map.Entry<String, Long> next :
                begins.entrySet().stream().sorted(Map.Entry.comparingByValue()).toList()) {
            if (next.getValue() < end) {
                throw new MalformedException(file.name() + ": storage " + next.getKey() + " lies within another one");
            }
            StateDictPickle.Storage storage = Objects.requireNonNull(storages.get(next.getKey()));
            end = next.getValue() + storage.count() * storage.unit();
        }
    }

    private static ZipIndex.Entry requireSize(
            ReadableBytes file, StateDictPickle.Storage storage, ZipIndex.@Nullable Entry entry) {
        if (entry != null
                && storage.count() <= Long.MAX_VALUE / storage.unit()
                && entry.size() == storage.count() * storage.unit()) {
            return entry;
        }
        throw new MalformedException(file.name() + ": storage " + storage.key() + " has " + storage.count()
                + " elements of " + storage.unit() + " bytes, "
                + (entry == null ? "and the file lacks it" : "and the file has " + entry.size() + " bytes of it"));
    }

    private static long result(Future<Long> future) throws IOException {
        try {
            return future.get();
        } catch (ExecutionException failure) {
            switch (Objects.requireNonNull(failure.getCause())) {
                case IOException problem -> throw problem;
                case RuntimeException problem -> throw problem;
                default -> throw new IllegalStateException(failure.getCause());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    // ---- tensors

    /**
     * Returns the offset of the last element in the storage, or -1 if there are no elements. Fails if it is outside
     * of the storage.
     */
    private static long lastElement(String what, StateDictPickle.Tensor tensor) {
        try {
            long bytes = Math.multiplyExact(
                    tensor.storage().count(), (long) tensor.storage().unit());
            long count = bytes / tensor.elements().bytes();
            long last = tensor.offset();
            boolean isEmpty = LongStream.of(tensor.sizes()).anyMatch(size -> size == 0);
            for (int dim = 0; dim < tensor.sizes().length && !isEmpty; dim++) {
                last = Math.addExact(last, Math.multiplyExact(tensor.sizes()[dim] - 1, tensor.strides()[dim]));
            }
            if (isEmpty ? tensor.offset() <= count : last < count) {
                return isEmpty ? -1 : last;
            }
        } catch (ArithmeticException ignored) {
            throw new MalformedException(what + " reaches beyond every storage");
        }
        throw new MalformedException(what + " reaches beyond its storage "
                + tensor.storage().key() + " of " + tensor.storage().count() + " elements");
    }

    /** Refuses a tensor larger than the file. Strides of 0 repeat elements, so a small file could describe a tensor of any size. */
    private static void requireBounded(String what, TensorType type, long fileBytes) {
        if (type.bytes() > fileBytes) {
            throw new MalformedException(what + " repeats its elements to " + type.bytes()
                    + " bytes, and at most as many as the file has, " + fileBytes + ", are loaded");
        }
    }

    /** Refuses too large a total. Tensors may share a storage, so a small file could describe any number of large tensors. */
    private static void requireTotal(String what, long total, long fileBytes) {
        if (total / MAX_TIMES_OF_THE_FILE > fileBytes) {
            throw new MalformedException(what + " and those before it take " + total
                    + " bytes, since they share storages, and at most " + MAX_TIMES_OF_THE_FILE
                    + " times as many as the file has, " + fileBytes + ", are loaded");
        }
    }

    private static StoredTensor stored(
            String what, String name, DType dtype, StateDictPickle.Tensor tensor, long last, long begin) {
        try {
            TensorType type = new TensorType(dtype, Shape.of(tensor.sizes()));
            long first = begin + tensor.offset() * dtype.bytes();
            long end = last < 0 ? first : begin + (last + 1) * dtype.bytes();
            List<Long> strides = LongStream.of(tensor.strides()).boxed().toList();
            StoredTensor plain = new StoredTensor(name, type, first, first + type.bytes());
            return isContiguous(type.shape(), strides) ? plain : new StoredTensor(name, type, first, end, strides);
        } catch (OutpostException failure) {
            throw new MalformedException(what + ": " + failure.getMessage());
        }
    }

    /**
     * Returns true if the elements are in row-major order without gaps. Ignores the strides of dimensions of size 1.
     */
    private static boolean isContiguous(Shape shape, List<Long> strides) {
        long[] expected = shape.contiguousStrides();
        for (int dim = 0; dim < shape.rank(); dim++) {
            if (shape.size(dim) > 1 && strides.get(dim) != expected[dim] && shape.elements() > 0) {
                return false;
            }
        }
        return true;
    }
}
