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
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The binding of the C interface of NCCL, NVIDIA's library of exchanges between GPUs, version 2.14 or later. The
 * library loads without a GPU and without a driver, but each communicator needs a GPU. Calls are enqueued on a
 * stream. Thread-safe, except for calls on the same communicator.
 */
public final class Nccl {
    /** The result code of a call that a communicator has not finished yet. */
    static final int IN_PROGRESS = 7;

    /** The layout of 2.14, which later versions also read. */
    private static final MemoryLayout CONFIGURATION = MemoryLayout.structLayout(
            JAVA_LONG.withName("size"),
            JAVA_INT.withName("magic"),
            JAVA_INT.withName("version"),
            JAVA_INT.withName("blocking"),
            MemoryLayout.paddingLayout(4));

    private static final int MAGIC = 0xcafebeef;
    private static final int CONFIGURATION_VERSION = 21_400;
    private static final MemoryLayout ID = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(NcclId.BYTES, JAVA_BYTE).withName("internal"));

    final CudaCheck check;
    private final NativeFunction errorString;
    private final NativeFunction version;
    private final NativeFunction uniqueId;
    private final NativeFunction initRank;
    final NativeFunction state;
    final NativeFunction finish;
    final NativeFunction destroy;
    final NativeFunction abort;
    final NativeFunction allReduce;
    final NativeFunction allGather;
    final NativeFunction reduceScatter;
    final NativeFunction send;
    final NativeFunction receive;
    final NativeFunction groupStart;
    final NativeFunction groupEnd;

    /**
     * Binds a loaded library.
     *
     * @throws NoSuchElementException if the library is not NCCL, or an older version
     */
    public Nccl(LoadedLibrary library) {
        check = new CudaCheck(this::text);
        errorString = library.function("ncclGetErrorString", FunctionDescriptor.of(ADDRESS, JAVA_INT));
        version = function(library, "ncclGetVersion", ADDRESS);
        uniqueId = function(library, "ncclGetUniqueId", ADDRESS);
        initRank = function(library, "ncclCommInitRankConfig", ADDRESS, JAVA_INT, ID, JAVA_INT, ADDRESS);
        state = function(library, "ncclCommGetAsyncError", ADDRESS, ADDRESS);
        finish = function(library, "ncclCommFinalize", ADDRESS);
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

    /** Finds the library on this machine, if there is one of version 2.14 or later. */
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
        } catch (LibraryLoadException | NoSuchElementException ignored) {
            return Optional.empty();
        }
    }

    private String text(int code) {
        return NativeText.at(errorString.callPointer(code), "unknown");
    }

    /** Returns the version as a number, such as 22602 for 2.26.2. */
    public int version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocate(JAVA_INT);
            check.check("ncclGetVersion", version.callInt(number));
            return number.get(JAVA_INT, 0);
        }
    }

    /** Draws a new id. This process then listens for the other members. */
    public NcclId drawId() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(ID);
            check.check("ncclGetUniqueId", uniqueId.callInt(id));
            return new NcclId(id.toArray(JAVA_BYTE));
        }
    }

    /**
     * Joins a communicator on the device that is current in this thread, and waits for the other members.
     *
     * @param size the number of members
     * @param rank the number of this member
     * @param timeout the longest wait for the members, here and in each call
     * @throws dev.outpost.runtime.engine.MissingMembersException if some members have not joined in time
     */
    public NcclCommunicator join(NcclId id, int size, int rank, Duration timeout) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(ADDRESS);
            MemorySegment bytes = arena.allocate(ID);
            bytes.copyFrom(MemorySegment.ofArray(id.bytes()));
            int code = initRank.callInt(made, size, bytes, rank, withoutBlocking(arena));
            if (code != IN_PROGRESS) {
                check.check(initRank.name(), code);
            }
            NcclCommunicator communicator = new NcclCommunicator(this, made.get(ADDRESS, 0), timeout);
            communicator.awaitJoined(initRank.name());
            return communicator;
        }
    }

    /**
     * Returns a configuration in which calls return immediately, so that the caller can stop waiting for a member that
     * does not join.
     */
    private static MemorySegment withoutBlocking(Arena arena) {
        MemorySegment configuration = arena.allocate(CONFIGURATION);
        set(configuration, "size", CONFIGURATION.byteSize());
        set(configuration, "magic", MAGIC);
        set(configuration, "version", CONFIGURATION_VERSION);
        set(configuration, "blocking", 0);
        return configuration;
    }

    private static void set(MemorySegment configuration, String field, Object value) {
        CONFIGURATION.varHandle(MemoryLayout.PathElement.groupElement(field)).set(configuration, 0L, value);
    }

    /** Returns NCCL's code of a dtype. A bool is sent as a byte. */
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
}
