package dev.outpost.runtime.engine.cpu;

import java.lang.invoke.MethodHandles;
import java.util.LinkedHashMap;
import java.util.Map;

/** The generated loops of an engine by their whole structure; the least recently used ones go first. */
final class LoopCache {
    private final Map<LoopSource, Loop> loops = new LinkedHashMap<>(64, 0.75f, true);
    private final int bound;

    LoopCache(int bound) {
        this.bound = bound;
    }

    synchronized Loop loop(LoopSource source) {
        Loop known = loops.get(source);
        if (known != null) {
            return known;
        }
        Loop loop = define(source.generate());
        loops.put(source, loop);
        if (loops.size() > bound) {
            loops.remove(loops.keySet().iterator().next());
        }
        return loop;
    }

    /** A hidden class is unloaded when its loop is collected. */
    private static Loop define(byte[] bytes) {
        try {
            return (Loop) MethodHandles.lookup()
                    .defineHiddenClass(bytes, true)
                    .lookupClass()
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("a generated loop cannot be instantiated", impossible);
        }
    }
}
