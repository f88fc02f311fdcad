package dev.outpost.provider.k8s.devices;

import io.fabric8.kubernetes.api.model.resource.v1.Counter;
import io.fabric8.kubernetes.api.model.resource.v1.CounterSet;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The counters that a GPU and its possible MIG slices share, for example one for each part of its memory. An allocated device consumes some
 * of them. Another device can be allocated if enough is left.
 */
final class SharedCounters {
    /** The remaining amounts, by the id of the counter set and the counter's name. */
    private final Map<String, Map<String, BigDecimal>> left = new HashMap<>();

    /** @param slices the slices that publish the counters, of the newest generation of each pool */
    SharedCounters(List<ResourceSlice> slices) {
        for (ResourceSlice slice : slices) {
            String pool = slice.getSpec().getDriver() + "/"
                    + slice.getSpec().getPool().getName();
            for (CounterSet set :
                    Optional.ofNullable(slice.getSpec().getSharedCounters()).orElse(List.of())) {
                Map<String, BigDecimal> counters =
                        left.computeIfAbsent(pool + "/" + set.getName(), id -> new HashMap<>());
                set.getCounters().forEach((name, counter) -> counters.put(name, amount(counter)));
            }
        }
    }

    private static BigDecimal amount(Counter counter) {
        return counter.getValue().getNumericalAmount();
    }

    /** Subtracts the consumption of an allocated device. */
    void consume(DeviceFacts device) {
        device.consumed()
                .forEach((set, counters) -> counters.forEach((name, counter) -> Optional.ofNullable(left.get(set))
                        .ifPresent(known ->
                                known.computeIfPresent(name, (key, amount) -> amount.subtract(amount(counter))))));
    }

    /** Returns true if enough is left for a device. A device that consumes no counters always has enough. */
    boolean suffice(DeviceFacts device) {
        return device.consumed().entrySet().stream()
                .allMatch(consumed -> consumed.getValue().entrySet().stream()
                        .allMatch(counter -> left.getOrDefault(consumed.getKey(), Map.of())
                                        .getOrDefault(counter.getKey(), BigDecimal.ZERO)
                                        .compareTo(amount(counter.getValue()))
                                >= 0));
    }
}
