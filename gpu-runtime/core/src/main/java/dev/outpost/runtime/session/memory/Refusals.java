package dev.outpost.runtime.session.memory;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How often each limit was met. */
public final class Refusals {
    private final Map<Limit, LongAdder> counts = new EnumMap<>(Limit.class);

    public Refusals() {
        for (Limit limit : Limit.values()) {
            counts.put(limit, new LongAdder());
        }
    }

    /** The failure for whoever met a limit: the problem, which names the limit's value, and what can be done. */
    public OutpostException refuse(Limit limit, String problem) {
        count(limit);
        return new OutpostException(FaultKind.RESOURCES, problem + ": " + limit.remedy());
    }

    public void count(Limit limit) {
        counts.get(limit).increment();
    }

    public Map<Limit, Long> counts() {
        Map<Limit, Long> sums = new EnumMap<>(Limit.class);
        counts.forEach((limit, count) -> sums.put(limit, count.sum()));
        return sums;
    }
}
