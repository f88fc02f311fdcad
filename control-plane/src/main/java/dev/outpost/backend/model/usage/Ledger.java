package dev.outpost.backend.model.usage;

import dev.outpost.backend.model.MachineEvent;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The costs of machines. All results follow from events and prices, in whole seconds and exact numbers, so a sum can
 * be computed again at any time with the same result to the nano-unit.
 */
public final class Ledger {
    private Ledger() {}

    /** Returns the times for which a machine is charged, from its events in order. */
    public static List<UsageInterval> usages(List<MachineEvent> events) {
        List<UsageInterval> usages = new ArrayList<>();
        Optional<UsageInterval> open = Optional.empty();
        for (MachineEvent event : events) {
            if (open.isPresent() && !event.phase().isMetered()) {
                usages.add(close(open.get(), event));
                open = Optional.empty();
            } else if (open.isEmpty() && event.phase().isMetered()) {
                open = Optional.of(open(event));
            }
        }
        open.ifPresent(usages::add);
        return usages;
    }

    public static UsageInterval open(MachineEvent event) {
        return new UsageInterval(
                second(event.at()), Optional.empty(), event.type().name(), Optional.empty());
    }

    /** Closes a usage at an event, but not before its begin, even if the clock was set back. */
    public static UsageInterval close(UsageInterval open, MachineEvent event) {
        return new UsageInterval(
                open.from(),
                Optional.of(later(open.from(), second(event.at()))),
                open.began(),
                Optional.of(event.type().name()));
    }

    /** Returns a time in whole seconds, the precision of the ledger. */
    public static Instant second(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS);
    }

    /**
     * Returns the cost of a usage within a window, split where the price changes. A usage shorter than a second costs
     * nothing, but is listed.
     *
     * @param prices the prices of the GPU's kind, in any order; a usage before the first price costs nothing
     * @param from the beginning of the window
     * @param to the end of the window, at which an open usage counts as ended
     */
    public static List<Charge> charges(UsageInterval usage, int gpus, List<Price> prices, Instant from, Instant to) {
        Instant begin = later(usage.from(), second(from));
        Instant end = usage.to().map(over -> earlier(over, second(to))).orElse(second(to));
        List<Charge> charges = new ArrayList<>();
        boolean isWithin = begin.equals(end) && begin.isBefore(second(to));
        if (isWithin && usage.to().filter(usage.from()::equals).isPresent()) {
            charges.add(charge(usage, gpus, priceAt(prices, begin), begin, end));
        }
        Instant at = begin;
        while (at.isBefore(end)) {
            Instant next =
                    nextChange(prices, at).map(change -> earlier(change, end)).orElse(end);
            charges.add(charge(usage, gpus, priceAt(prices, at), at, next));
            at = next;
        }
        return charges;
    }

    /** Returns the price at a time; empty before the first price. */
    static Optional<Price> priceAt(List<Price> prices, Instant at) {
        return prices.stream()
                .filter(price -> !second(price.from()).isAfter(at))
                .max(Comparator.comparing(Price::from));
    }

    /** Returns the price per second at a time, in billionths, rounded up. */
    public static long price(List<Price> prices, Instant at) {
        return priceAt(prices, at).map(Price::nanosPerSecondAtMost).orElse(0L);
    }

    public static long total(List<Charge> charges) {
        return charges.stream().mapToLong(Charge::nanos).reduce(0, Amounts::plus);
    }

    private static Charge charge(UsageInterval usage, int gpus, Optional<Price> price, Instant from, Instant to) {
        long nanos = price.map(known -> nanos(known, gpus, later(usage.from(), second(known.from())), from, to))
                .orElse(0L);
        boolean isEnd = usage.to().filter(to::equals).isPresent();
        boolean isBegin = usage.from().equals(from);
        return new Charge(
                from,
                to,
                gpus,
                price.map(Price::perHour).orElse(BigDecimal.ZERO),
                price.map(Price::nanosPerSecond).orElse(0L),
                nanos,
                isBegin ? usage.began() : "PRICE",
                isEnd ? usage.ended().orElseThrow() : usage.to().isPresent() ? "PRICE" : "RUNNING");
    }

    /** @param begin the time from which the usage has this price */
    private static long nanos(Price price, int gpus, Instant begin, Instant from, Instant to) {
        long start = begin.getEpochSecond();
        return price.nanos(gpus, to.getEpochSecond() - start) - price.nanos(gpus, from.getEpochSecond() - start);
    }

    private static Optional<Instant> nextChange(List<Price> prices, Instant at) {
        return prices.stream()
                .map(price -> second(price.from()))
                .filter(change -> change.isAfter(at))
                .min(Comparator.naturalOrder());
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
