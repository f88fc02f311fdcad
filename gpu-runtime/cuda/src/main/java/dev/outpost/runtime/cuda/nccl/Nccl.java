package dev.outpost.runtime.cuda.nccl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.outpost.runtime.cuda.library.CudaCheck;
import dev.outpost.runtime.cuda.library.DynamicLoader;
import dev.outpost.runtime.cuda.library.LibraryLoadException;
import dev.outpost.runtime.cuda.library.LoadedLibrary;
import dev.outpost.runtime.cuda.library.NativeFunction;
import dev.outpost.runtime.cuda.library.NativeText;
import dev.outpost.runtime.cuda.library.SearchPlace;
import dev.outpost.runtime.cuda.library.SearchPlaces;
import dev.outpost.types.DType;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.util.Optional;

/**
 * NVIDIA's collectives between GPUs, version 2, by its C interface. The library loads without a GPU and without a driver; communicators
 * need a GPU each. Calls are enqueued on a stream. Thread-safe, but for the calls of one communicator.
 */
public final class Nccl {
    private static final int SUM = 0;
    private static final MemoryLayout ID = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(NcclId.BYTES, JAVA_BYTE).withName("internal"));

    private final CudaCheck check;
    private final NativeFunction errorString;
    private final NativeFunction version;
    private final NativeFunction uniqueId;
    private final NativeFunction initRank;
    private final NativeFunction destroy;
    private final NativeFunction abort;
    private final NativeFunction allReduce;
    private final NativeFunction allGather;
    private final NativeFunction reduceScatter;
    private final NativeFunction send;
    private final NativeFunction receive;
    private final NativeFunction groupStart;
    private final NativeFunction groupEnd;

    /**
     * By a library that is in memory.
     *
     * @throws java.util.NoSuchElementException if it is another one
     */
    public Nccl(LoadedLibrary library) {
        check = new CudaCheck(this::text);
        errorString = library.function("ncclGetErrorString", FunctionDescriptor.of(ADDRESS, JAVA_INT));
        version = function(library, "ncclGetVersion", ADDRESS);
        uniqueId = function(library, "ncclGetUniqueId", ADDRESS);
        initRank = function(library, "ncclCommInitRank", ADDRESS, JAVA_INT, ID, JAVA_INT);
        destroy = function(library, "ncclCommDestroy", ADDRESS);
        abort = function(library, "ncclCommAbort", ADDRESS);
        allReduce =
                function(library, "ncclAllReduce", ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
        allGather = function(library, "ncclAllGather", ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS);
        reduceScatter = function(
                library, "ncclReduceScatter", ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
        send = function(library, "ncclSend", ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
        receive = function(library, "ncclRecv", ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
        groupStart = function(library, "ncclGroupStart");
        groupEnd = function(library, "ncclGroupEnd");
    }

    private static NativeFunction function(LoadedLibrary library, String name, MemoryLayout... parameters) {
        return library.function(name, FunctionDescriptor.of(JAVA_INT, parameters));
    }

    /** The library of this machine, where there is one. */
    public static Optional<Nccl> find() {
        for (SearchPlace place : SearchPlaces.here()) {
            Optional<Nccl> found = at(place);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<Nccl> at(SearchPlace place) {
        String file = place.folder()
                .map(folder ->
                        folder.resolve(SearchPlaces.NCCL).toAbsolutePath().toString())
                .orElse(SearchPlaces.NCCL);
        if (place.folder().isPresent() && !Files.exists(place.folder().get().resolve(SearchPlaces.NCCL))) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Nccl(DynamicLoader.load(file)));
        } catch (LibraryLoadException unusable) {
            return Optional.empty();
        }
    }

    private String text(int code) {
        return NativeText.at(errorString.callPointer(code), "unknown");
    }

    /** Such as 22602 of 2.26.2. */
    public int version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocate(JAVA_INT);
            check.check("ncclGetVersion", version.callInt(number));
            return number.get(JAVA_INT, 0);
        }
    }

    /** A new id. The process that draws it listens for the other members from then on. */
    public NcclId drawId() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(ID);
            check.check("ncclGetUniqueId", uniqueId.callInt(id));
            return new NcclId(id.toArray(JAVA_BYTE));
        }
    }

    /**
     * Joins a communicator on the device that is current in this thread; waits for the other members.
     *
     * @param size how many members there are
     * @param rank which one this is
     */
    public Communicator join(NcclId id, int size, int rank) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(ADDRESS);
            MemorySegment bytes = arena.allocate(ID);
            bytes.copyFrom(MemorySegment.ofArray(id.bytes()));
            check.check("ncclCommInitRank", initRank.callInt(made, size, bytes, rank));
            return new Communicator(made.get(ADDRESS, 0));
        }
    }

    /** NCCL's number of a dtype; a bool travels as a byte. */
    static int code(DType dtype) {
        return switch (dtype) {
            case INT8 -> 0;
            case UINT8, BOOL -> 1;
            case INT32 -> 2;
            case INT64 -> 4;
            case FLOAT16 -> 6;
            case FLOAT32 -> 7;
            case FLOAT64 -> 8;
            case BFLOAT16 -> 9;
            case INT16 -> throw new IllegalArgumentException("nccl: int16 is not among its types; use int32");
        };
    }

    /** One member's side. Addresses are of device memory. */
    public final class Communicator implements AutoCloseable {
        private final MemorySegment handle;

        private Communicator(MemorySegment handle) {
            this.handle = handle;
        }

        public void allReduce(long from, long to, long elements, DType dtype, long stream) {
            check.check(
                    "ncclAllReduce",
                    allReduce.callInt(pointer(from), pointer(to), elements, code(dtype), SUM, handle, pointer(stream)));
        }

        /** @param elements of one member */
        public void allGather(long from, long to, long elements, DType dtype, long stream) {
            check.check(
                    "ncclAllGather",
                    allGather.callInt(pointer(from), pointer(to), elements, code(dtype), handle, pointer(stream)));
        }

        /** @param elements of one member's result */
        public void reduceScatter(long from, long to, long elements, DType dtype, long stream) {
            check.check(
                    "ncclReduceScatter",
                    reduceScatter.callInt(
                            pointer(from), pointer(to), elements, code(dtype), SUM, handle, pointer(stream)));
        }

        public void send(long from, long elements, DType dtype, int member, long stream) {
            check.check(
                    "ncclSend", send.callInt(pointer(from), elements, code(dtype), member, handle, pointer(stream)));
        }

        public void receive(long to, long elements, DType dtype, int member, long stream) {
            check.check(
                    "ncclRecv", receive.callInt(pointer(to), elements, code(dtype), member, handle, pointer(stream)));
        }

        /** Ends what is under way, where a member is gone: that would wait for it for ever. */
        public void abort() {
            check.check("ncclCommAbort", abort.callInt(handle));
        }

        @Override
        public void close() {
            check.check("ncclCommDestroy", destroy.callInt(handle));
        }
    }

    /** Calls of the body that belong together, such as a send and its counterpart, are enqueued as one. */
    public void together(Runnable body) {
        check.check("ncclGroupStart", groupStart.callInt());
        try {
            body.run();
        } finally {
            check.check("ncclGroupEnd", groupEnd.callInt());
        }
    }

    private static MemorySegment pointer(long address) {
        return MemorySegment.ofAddress(address);
    }
}
