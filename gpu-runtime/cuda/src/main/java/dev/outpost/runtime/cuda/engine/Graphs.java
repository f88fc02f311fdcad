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
 * Units as graphs, from their second run on. A graph is launched again where all arrays lie where they lay and all data are what
 * they were. Otherwise the unit has a few, since memory tends to change places in turns, and then the one that was not
 * launched for longest is made to do the new run. Under the engine's lock, but for {@link #forget}.
 */
final class Graphs {
    static final int MAX_GRAPHS = 512;
    static final int MAX_OF_A_UNIT = 12;

    /** Of one whose graphs cannot be made to do another run. */
    private static final int MAX_WITH_EXCHANGES = 24;

    /** Runs in sequence for which no graph was right. Then only each as many-th is worth another one. */
    static final int TIMEOUT = 16;

    /** A unit of one of the sessions. */
    private record Key(Object unit, long owner) {}

    /** A graph and what it does. */
    static final class Captured {
        private final Gpu.Graph graph;
        private List<Launch> launches;
        private GraphMemory graphMemory;
        /** Whether somebody is about to launch it; then it is dropped behind that. */
        private boolean isHeld;

        private boolean isDropped;

        private Captured(Gpu.Graph graph, List<Launch> launches, GraphMemory graphMemory) {
            this.graph = graph;
            this.launches = launches;
            this.graphMemory = graphMemory;
        }
    }

    /** The graphs of a unit, the latest first. */
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
     * Appends a run as a graph.
     *
     * @return where its kernels say what they refuse; null where it is to run one by one
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
     * A graph for a run with exchanges, none of whose kernels may refuse a value. It stays until it is let go of.
     *
     * @return null where the run is to be done one by one
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

    /** Appends what a graph does that is held. */
    void launch(Captured captured) {
        gpu.launch(captured.graph);
    }

    /** The counterpart of {@link #hold}. */
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
            // One by one it may fit, and a kernel says by itself why it cannot run.
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

    /** Exchanges are never replaced in a graph that is there: their library counts the graphs that it is in. */
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

    // ---- the end of a graph

    /** Any thread may; what is named goes before the next run. */
    void forgetOwner(long owner) {
        forgotten.add(key -> key.owner == owner);
    }

    /** As {@link #forgetOwner}. */
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

    /** Those with a launch of that kernel. */
    void dropAllOf(Kernel kernel) {
        for (Repeated known : repeated.values()) {
            for (Captured captured : List.copyOf(known.graphs)) {
                if (captured.launches.stream().anyMatch(launch -> launch.kernel() == kernel)) {
                    dropFrom(known, captured);
                }
            }
        }
    }

    /** All of them: their memory is needed, or a kernel of theirs goes. The answer is whether none is held. */
    boolean clear() {
        repeated.values().forEach(this::drop);
        repeated.clear();
        return held == 0;
    }

    /** The bytes of the device's memory that they hold. */
    long heldBytes() {
        return repeated.values().stream()
                .flatMap(known -> known.graphs.stream())
                .mapToLong(captured -> captured.graphMemory.bytes())
                .sum();
    }
}
