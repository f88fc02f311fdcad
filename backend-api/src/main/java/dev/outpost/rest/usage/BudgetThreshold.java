package dev.outpost.rest.usage;

import java.util.Objects;

/**
 * The action at a part of a budget's cap.
 *
 * @param percent the part of the cap, in percent
 */
public record BudgetThreshold(int percent, BudgetAction action) {
    private static final int WHOLE = 100;

    /** @throws IllegalArgumentException if the percentage is not 1 to 100 */
    public static BudgetThreshold checked(int percent, BudgetAction action) {
        if (percent < 1 || percent > WHOLE) {
            throw new IllegalArgumentException("percent: expected 1 to " + WHOLE + ", got " + percent);
        }
        return new BudgetThreshold(percent, Objects.requireNonNull(action, "action"));
    }

    /** Returns a text such as {@code 80 NOTIFY}. */
    public String text() {
        return percent + " " + action;
    }

    /** Parses {@link #text}. */
    public static BudgetThreshold parse(String text) {
        String[] parts = text.split(" ");
        return checked(Integer.parseInt(parts[0]), BudgetAction.valueOf(parts[1]));
    }
}
