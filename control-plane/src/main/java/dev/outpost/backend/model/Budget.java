package dev.outpost.backend.model;

import dev.outpost.rest.usage.BudgetAction;
import dev.outpost.rest.usage.BudgetPeriod;
import dev.outpost.rest.usage.BudgetThreshold;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How much an organisation, one of its projects or one of its keys may spend. The operator has budgets of organisations besides those
 * of their administrators. Budgets are nested by what they cover: a machine must fit
 * into all that cover it. Everything here is integers of nano-units and whole seconds.
 *
 * @param project whose machines it covers; all of the organisation's where it is empty, or {@link #OPERATOR}
 * @param key by which key they were asked for; any where it is empty
 * @param capNanos how much may be spent in a period
 * @param thresholds what is done at which parts of it
 */
public record Budget(
        String organisation,
        Optional<String> project,
        Optional<String> key,
        BudgetPeriod period,
        long capNanos,
        List<BudgetThreshold> thresholds) {
    /** In the place of a project: a budget of the whole organisation that the operator has set. No project can be called so. */
    public static final String OPERATOR = "outpost.operator";

    private static final int WHOLE = 100;

    public Budget {
        Objects.requireNonNull(organisation, "organisation");
        Objects.requireNonNull(period, "period");
        thresholds = List.copyOf(thresholds);
        if (capNanos < 0) {
            throw new IllegalArgumentException("cap: expected 0 or more, got " + capNanos);
        }
    }

    /** Such as {@code project/vision/month}. */
    public String name() {
        String scope = key.map(id -> "key/" + id)
                .or(() -> project.map(own -> own.equals(OPERATOR) ? "operator" : "project/" + own))
                .orElse("organisation");
        return scope + "/" + period.name().toLowerCase(Locale.ROOT);
    }

    /** The project whose machines it covers; all of the organisation's if it is empty. */
    public Optional<String> coveredProject() {
        return project.filter(own -> !own.equals(OPERATOR));
    }

    public boolean covers(String ofProject, String ofKey) {
        return coveredProject().filter(own -> !own.equals(ofProject)).isEmpty()
                && key.filter(own -> !own.equals(ofKey)).isEmpty();
    }

    /** The amount that may be spent before machines end; nothing where they go on. */
    public OptionalLong endBound() {
        return bound(BudgetAction.END);
    }

    /** The amount that may be spent before no further machine is made; nothing where they go on being made. */
    public OptionalLong refuseBound() {
        OptionalLong refuse = bound(BudgetAction.REFUSE);
        OptionalLong end = endBound();
        return refuse.isEmpty() || end.isPresent() && end.getAsLong() < refuse.getAsLong() ? end : refuse;
    }

    private OptionalLong bound(BudgetAction action) {
        return thresholds.stream()
                .filter(threshold -> threshold.action() == action)
                .mapToLong(this::nanos)
                .min();
    }

    /** The amount of a threshold; rounded down. */
    public long nanos(BudgetThreshold threshold) {
        return BigInteger.valueOf(capNanos)
                .multiply(BigInteger.valueOf(threshold.percent()))
                .divide(BigInteger.valueOf(WHOLE))
                .longValueExact();
    }

    /** Those that spending has reached. */
    public List<BudgetThreshold> reached(long spent) {
        return thresholds.stream()
                .filter(threshold -> spent >= nanos(threshold))
                .toList();
    }

    /**
     * Whether another machine fits, as one that costs nothing always does: what was spent, and what all machines with it cost until their holds are renewed, stay below the
     * bound.
     *
     * @param rate nano-units a second of the machines that there are, those that wait among them
     * @param more nano-units a second of the one that is asked for
     * @param horizon how long a hold lasts
     */
    public boolean admits(long spent, long rate, long more, Duration horizon) {
        OptionalLong bound = refuseBound();
        if (bound.isEmpty() || more == 0) {
            return true;
        }
        BigInteger held = BigInteger.valueOf(rate)
                .add(BigInteger.valueOf(more))
                .multiply(BigInteger.valueOf(horizon.toSeconds()));
        return BigInteger.valueOf(spent).add(held).compareTo(BigInteger.valueOf(bound.getAsLong())) <= 0;
    }

    /**
     * Until when what machines cost is put by: for the horizon, or until the bound is reached at this rate, whichever comes first. A
     * machine that hears of no later time by then ends.
     *
     * @return nothing where machines do not end by this budget
     */
    public Optional<Instant> hold(long spent, long rate, Duration horizon, Instant now) {
        OptionalLong bound = endBound();
        if (bound.isEmpty()) {
            return Optional.empty();
        }
        long left = Math.max(0, bound.getAsLong() - spent);
        long seconds = rate == 0 ? horizon.toSeconds() : Math.min(horizon.toSeconds(), left / rate);
        return Optional.of(Ledger.second(now).plusSeconds(seconds));
    }

    /** How long it lasts at a rate; nothing where it has no bound, or nothing is spent. */
    public Optional<Duration> lasts(long spent, long rate) {
        OptionalLong bound = refuseBound();
        return bound.isEmpty() || rate == 0
                ? Optional.empty()
                : Optional.of(Duration.ofSeconds(Math.max(0, bound.getAsLong() - spent) / rate));
    }
}
