package dev.outpost.rest.usage;

import java.util.Objects;

/** @param percent of the cap */
public record BudgetThreshold(int percent, BudgetAction action) {
    private static final int WHOLE = 100;

    public BudgetThreshold {
        Objects.requireNonNull(action, "action");
        if (percent < 1 || percent > WHOLE) {
            throw new IllegalArgumentException("percent: expected 1 to " + WHOLE + ", got " + percent);
        }
    }

    /** Such as {@code 80 NOTIFY}. */
    public String text() {
        return percent + " " + action;
    }

    public static BudgetThreshold parse(String text) {
        String[] parts = text.split(" ");
        return new BudgetThreshold(Integer.parseInt(parts[0]), BudgetAction.valueOf(parts[1]));
    }
}
