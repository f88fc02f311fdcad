package dev.outpost.runtime.cuda.engine;

import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.OutOfDeviceMemoryException;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.GraphMemory;
import dev.outpost.runtime.cuda.launch.MemoryPool;
import dev.outpost.runtime.cuda.library.CudaException;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.Launch;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/**
 * Captures launch groups as graphs, from their second run on. A graph is launched again if all arrays have the same addresses and all
 * attributes of ops are the same. Because addresses often alternate, a group has a few graphs. If none fits, the least recently launched
 * graph is updated to the new run. All methods but {@link #forgetOwner} and {@link #forgetGroup} are called under the engine's lock.
 */
final class Graphs {
    static final int MAX_GRAPHS = 512;
    static final int MAX_OF_A_UNIT = 12;

    /** The maximum number of graphs of a group with exchanges. These graphs cannot be updated to another run. */
    private static final int MAX_WITH_EXCHANGES = 24;

    /** The number of consecutive runs without a fitting graph after which a graph is captured only in each {@value}th run. */
    static final int TIMEOUT = 16;

    /** Cache key: a launch group of one session. */
    private record Key(Object unit, long owner) {}

    /** A graph and the launches that it contains. */
    static final class Captured {
        private final Gpu.Graph graph;
        private List<Launch> launches;
        private GraphMemory graphMemory;
        /** True while a caller is about to launch the graph. Then it is dropped only after the launch. */
        private boolean isHeld;

        private boolean isDropped;

        private Captured(Gpu.Graph graph, List<Launch> launches, GraphMemory graphMemory) {
            this.graph = graph;
            this.launches = launches;
            this.graphMemory = graphMemory;
        }
    }

    /** The graphs of a group. The one that was launched last is the first. */
    private static final class Repeated {
        final List<Captured> graphs = new ArrayList<>();
        int misses;
        boolean isRefused;
    }

    private final Gpu gpu;
    private final MemoryPool pool;
    private final CudaLauncher launcher;
    private final Map<Key, Repeated> repeated = new LinkedHashMap<>(64, 0.75f, true);
    private final Queue<Predicate<Key>> forgotten = new ConcurrentLinkedQueue<>();
    private int count;
    private int held;

    Graphs(Gpu gpu, MemoryPool pool, CudaLauncher launcher) {
        this.gpu = gpu;
        this.pool = pool;
        this.launcher = launcher;
    }

    /**
     * Launches a run as a graph.
     *
     * @return the words in which its kernels report refused values; null if the caller has to run the kernels one by one
     */
    GraphMemory launch(Object unit, long owner, List<Launch> launches) {
        Captured right = graph(unit, owner, launches, false);
        if (right == null) {
            return null;
        }
        gpu.launch(right.graph);
        return right.graphMemory;
    }

    /**
     * Returns a graph for a run with exchanges. None of its kernels may refuse a value. The graph is kept until {@link #release}.
     *
     * @return null if the caller has to run the launches one by one
     */
    Captured hold(Object unit, long owner, List<Launch> launches) {
        Captured right = graph(unit, owner, launches, true);
        if (right == null || right.graphMemory.refusals() > 0) {
            return null;
        }
        right.isHeld = true;
        held++;
        return right;
    }

    void launch(Captured captured) {
        gpu.launch(captured.graph);
    }

    /** Ends {@link #hold}. */
    void release(Captured captured) {
        captured.isHeld = false;
        held--;
        if (captured.isDropped) {
            drop(captured);
        }
    }

    private Captured graph(Object unit, long owner, List<Launch> launches, boolean hasExchanges) {
        dropForgotten();
        Key key = new Key(unit, owner);
        Repeated known = repeated.get(key);
        if (known == null) {
            repeated.put(key, new Repeated());
            dropOldest();
            return null;
        }
        return find(known, launches, hasExchanges);
    }

    private Captured find(Repeated known, List<Launch> launches, boolean hasExchanges) {
        for (Captured captured : known.graphs) {
            if (Launch.areSame(captured.launches, launches)) {
                known.misses = 0;
                known.graphs.remove(captured);
                known.graphs.addFirst(captured);
                return captured;
            }
        }
        boolean isWorthIt = known.misses < TIMEOUT || known.misses % TIMEOUT == 0;
        if (known.isRefused || !isWorthIt) {
            known.misses++;
            return null;
        }
        return captured(known, launches, hasExchanges);
    }

    // ---- capturing

    private Captured captured(Repeated known, List<Launch> launches, boolean hasExchanges) {
        GraphMemory graphMemory = new GraphMemory(gpu, pool, launches.size());
        Captured captured = null;
        try {
            captured = capture(known, launches, graphMemory, hasExchanges);
        } catch (OutOfDeviceMemoryException | OutpostException ignored) {
            // The caller runs the kernels one by one: this may need less memory, and each kernel reports its own
            // failure.
            return null;
        } catch (CudaException failure) {
            if (DeviceFailure.isLasting(failure)) {
                throw failure;
            }
            known.isRefused = true;
            return null;
        } finally {
            if (captured == null) {
                graphMemory.close();
            }
        }
        known.misses++;
        known.graphs.addFirst(captured);
        dropOldest();
        return captured;
    }

    /**
     * Captures a new graph or updates the least recently launched one. A graph with exchanges is never updated,
     * because the library counts the graphs that contain its exchanges.
     */
    private Captured capture(Repeated known, List<Launch> launches, GraphMemory graphMemory, boolean hasExchanges) {
        launcher.prepare();
        Runnable work = () -> launcher.within(graphMemory, launches);
        if (hasExchanges && known.graphs.size() == MAX_WITH_EXCHANGES) {
            dropFrom(known, known.graphs.getLast());
        }
        if (hasExchanges || known.graphs.size() < MAX_OF_A_UNIT) {
            Captured fresh = new Captured(gpu.capture(work), launches, graphMemory);
            count++;
            return fresh;
        }
        Captured oldest = known.graphs.getLast();
        gpu.recapture(oldest.graph, work);
        known.graphs.removeLast();
        oldest.graphMemory.close();
        oldest.graphMemory = graphMemory;
        oldest.launches = launches;
        return oldest;
    }

    // ---- dropping graphs

    /** Forgets the graphs of an owner. Any thread may call this. The graphs are dropped before the next group is launched. */
    void forgetOwner(long owner) {
        forgotten.add(key -> key.owner == owner);
    }

    /** Forgets the graphs of a launch group. Any thread may call this. The graphs are dropped before the next group is launched. */
    void forgetGroup(Object unit) {
        forgotten.add(key -> key.unit == unit);
    }

    void dropForgotten() {
        for (Predicate<Key> gone = forgotten.poll(); gone != null; gone = forgotten.poll()) {
            Predicate<Key> isGone = gone;
            repeated.entrySet().removeIf(entry -> isGone.test(entry.getKey()) && drop(entry.getValue()));
        }
    }

    private void dropOldest() {
        while (count > MAX_GRAPHS || repeated.size() > MAX_GRAPHS) {
            var eldest = repeated.values().iterator();
            drop(eldest.next());
            eldest.remove();
        }
    }

    private boolean drop(Repeated known) {
        for (Captured captured : List.copyOf(known.graphs)) {
            dropFrom(known, captured);
        }
        return true;
    }

    private void dropFrom(Repeated known, Captured captured) {
        known.graphs.remove(captured);
        count--;
        if (captured.isHeld) {
            captured.isDropped = true;
        } else {
            drop(captured);
        }
    }

    private void drop(Captured captured) {
        gpu.drop(captured.graph);
        captured.graphMemory.close();
    }

    /** Drops the graphs that launch the kernel. */
    void dropAllOf(Kernel kernel) {
        for (Repeated known : repeated.values()) {
            for (Captured captured : List.copyOf(known.graphs)) {
                if (captured.launches.stream().anyMatch(launch -> launch.kernel() == kernel)) {
                    dropFrom(known, captured);
                }
            }
        }
    }

    /** Drops all graphs, to free their memory or before a kernel is unloaded. Returns true if none of them is held. */
    boolean clear() {
        repeated.values().forEach(this::drop);
        repeated.clear();
        return held == 0;
    }

    /** Returns the number of bytes of device memory that the graphs hold. */
    long heldBytes() {
        return repeated.values().stream()
                .flatMap(known -> known.graphs.stream())
                .mapToLong(captured -> captured.graphMemory.bytes())
                .sum();
    }
}
