package dev.outpost.runtime.session.memory;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts how often each limit was reached. */
public final class LimitCounters {
    private final Map<RuntimeLimit, LongAdder> counts = new EnumMap<>(RuntimeLimit.class);

    public LimitCounters() {
        for (RuntimeLimit limit : RuntimeLimit.values()) {
            counts.put(limit, new LongAdder());
        }
    }

    /** Counts a refusal, and returns the exception: the problem, which names the limit's value, and the remedy. */
    public OutpostException refuse(RuntimeLimit limit, String problem) {
        count(limit);
        return new OutpostException(FaultKind.RESOURCES, problem + ": " + limit.remedy());
    }

    public void count(RuntimeLimit limit) {
        counts.get(limit).increment();
    }

    public Map<RuntimeLimit, Long> counts() {
        Map<RuntimeLimit, Long> sums = new EnumMap<>(RuntimeLimit.class);
        counts.forEach((limit, count) -> sums.put(limit, count.sum()));
        return sums;
    }
}
