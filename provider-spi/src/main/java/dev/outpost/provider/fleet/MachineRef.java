package dev.outpost.provider.fleet;

import java.util.regex.Pattern;

/**
 * Names a machine of a fleet. The caller draws the id; the fleet makes at most one machine for each id and epoch.
 *
 * @param id 1 to 36 lower-case letters, digits and dashes, such as a UUID; no dash at either end
 * @param epoch counts the attempts at this machine, from 1
 */
public record MachineRef(String id, int epoch) {
    private static final Pattern ID = Pattern.compile("[a-z0-9]([a-z0-9-]{0,34}[a-z0-9])?");
    private static final String PREFIX = "outpost-";

    public MachineRef {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "id: expected 1 to 36 lower-case letters, digits and inner dashes, got \"" + id + "\"");
        }
        if (epoch < 1) {
            throw new IllegalArgumentException("epoch: expected 1 or more, got " + epoch);
        }
    }

    /** What the supplier calls it, a DNS label of at most 55 characters: {@code outpost-ID-EPOCH}. */
    public String name() {
        return PREFIX + id + "-" + epoch;
    }

    @Override
    public String toString() {
        return name();
    }
}
