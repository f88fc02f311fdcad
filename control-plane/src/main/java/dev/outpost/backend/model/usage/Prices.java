package dev.outpost.backend.model.usage;

import dev.outpost.backend.model.GpuKinds;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The prices of all kinds of GPU. A variant without a price has the price of its family. An unknown kind has the price of the dearest
 * possible kind: for a family its dearest variant, for {@code any} the dearest of all, unless they have their own prices.
 */
public final class Prices {
    private final Map<String, List<Price>> byKind;
    private final Map<String, List<Price>> known = new HashMap<>();

    public Prices(Collection<Price> all) {
        byKind = all.stream().collect(Collectors.groupingBy(Price::gpu));
    }

    /** Returns the prices of a kind, from their dates on. */
    public List<Price> of(String kind) {
        return known.computeIfAbsent(kind, this::find);
    }

    private List<Price> find(String kind) {
        if (byKind.containsKey(kind)) {
            return byKind.get(kind);
        }
        String family = GpuKinds.family(kind);
        if (byKind.containsKey(family)) {
            return byKind.get(family);
        }
        return dearest(
                kind,
                byKind.keySet().stream()
                        .filter(priced -> kind.equals(GpuKinds.ANY) || GpuKinds.isOf(priced, kind))
                        .map(byKind::get)
                        .toList());
    }

    /** Returns the highest of these prices at each time. */
    private static List<Price> dearest(String kind, List<List<Price>> lists) {
        return lists.stream()
                .flatMap(List::stream)
                .map(Price::from)
                .distinct()
                .map(from -> lists.stream()
                        .flatMap(prices -> Ledger.priceAt(prices, from).stream())
                        .max(Comparator.comparing(Price::perHour))
                        .map(highest -> highest.of(kind, from))
                        .orElseThrow())
                .toList();
    }

    /** Returns the price per second of a GPU of a kind at a time, in nano-units. */
    public long rate(String kind, Instant at) {
        return Ledger.price(of(kind), at);
    }

    /** Returns the price per hour of the dearest of these kinds at a time, in units of the currency. */
    public BigDecimal dearestPerHour(Collection<String> kinds, Instant at) {
        return kinds.stream()
                .flatMap(kind -> Ledger.priceAt(of(kind), at).stream())
                .map(Price::perHour)
                .max(Comparator.naturalOrder())
                .orElse(BigDecimal.ZERO);
    }

    /** Returns the price per second of the dearest of these kinds at a time, in nano-units. */
    public long dearest(Collection<String> kinds, Instant at) {
        return kinds.stream().mapToLong(kind -> rate(kind, at)).max().orElse(0);
    }
}
