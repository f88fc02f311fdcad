package dev.outpost.backend.model.usage;

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
 * A limit on the spending of an organisation, one of its projects or one of its keys. The operator sets budgets of organisations, in
 * addition to the budgets that their administrators set. A machine must fit into every budget that covers it. All amounts are integers of
 * nano-units, and all times whole seconds.
 *
 * @param project the project whose machines it covers; if empty or {@link #OPERATOR}, all machines of the organisation
 * @param key the key that requested the machines it covers; any key if empty
 * @param capNanos the limit of spending in a period, in nano-units
 * @param thresholds the parts of the limit at which the budget notifies, refuses or ends machines
 */
public record Budget(
        String organisation,
        Optional<String> project,
        Optional<String> key,
        BudgetPeriod period,
        long capNanos,
        List<BudgetThreshold> thresholds) {
    /**
     * Replaces the project in a budget that the operator has set for the whole organisation. No project can have this name.
     */
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

    /** Returns the name, such as {@code project/vision/month}. */
    public String name() {
        String scope = key.map(id -> "key/" + id)
                .or(() -> project.map(own -> own.equals(OPERATOR) ? "operator" : "project/" + own))
                .orElse("organisation");
        return scope + "/" + period.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the project whose machines it covers; empty for all projects of the organisation. */
    public Optional<String> coveredProject() {
        return project.filter(own -> !own.equals(OPERATOR));
    }

    public boolean covers(String ofProject, String ofKey) {
        return coveredProject().filter(own -> !own.equals(ofProject)).isEmpty()
                && key.filter(own -> !own.equals(ofKey)).isEmpty();
    }

    /** Returns the amount of spending at which machines end; empty if they continue. */
    public OptionalLong endBound() {
        return bound(BudgetAction.END);
    }

    /** Returns the amount of spending at which no more machines are made; empty without such a limit. */
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

    /** Returns the amount of a threshold; rounded down. */
    public long nanos(BudgetThreshold threshold) {
        return BigInteger.valueOf(capNanos)
                .multiply(BigInteger.valueOf(threshold.percent()))
                .divide(BigInteger.valueOf(WHOLE))
                .longValueExact();
    }

    /** Returns the thresholds that the spending has reached. */
    public List<BudgetThreshold> reached(long spent) {
        return thresholds.stream()
                .filter(threshold -> spent >= nanos(threshold))
                .toList();
    }

    /**
     * Returns true if another machine fits. This is the case if the money spent, plus the cost of all machines until their holds are
     * renewed, stays below the bound. A machine that costs nothing always fits.
     *
     * @param rate nano-units per second of the existing machines, including those that wait
     * @param more nano-units per second of the requested machine
     * @param horizon the time for which a hold lasts
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
     * Returns the end of the hold: the earlier of the end of the horizon and the time at which this rate reaches the
     * bound. A machine whose hold is not extended ends at this time.
     *
     * @return empty if this budget does not end machines
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

    /** Returns the time until the bound is reached at a rate; empty without a bound, or if the rate is 0. */
    public Optional<Duration> lasts(long spent, long rate) {
        OptionalLong bound = refuseBound();
        return bound.isEmpty() || rate == 0
                ? Optional.empty()
                : Optional.of(Duration.ofSeconds(Math.max(0, bound.getAsLong() - spent) / rate));
    }
}
