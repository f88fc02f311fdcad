package dev.outpost.provider.k8s.reason.text;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses a list of numbers of unsuitable nodes, or groups of nodes, with reasons, as the scheduler and the cluster autoscaler write it:
 * {@code 2 Insufficient nvidia.com/gpu, 3 node(s) were unschedulable}.
 */
public final class NodeCounts {
    /** The number of nodes with a reason. */
    public record Count(int number, String reason) {}

    private static final Pattern ITEM = Pattern.compile("(\\d+) (.+)");

    private NodeCounts() {}

    /** Returns the items, without malformed ones. A reason may contain commas, but none before a number. */
    public static List<Count> parse(String list) {
        return Arrays.stream(list.split(", (?=\\d+ )"))
                .flatMap(item -> item(item.strip()).stream())
                .toList();
    }

    private static Optional<Count> item(String text) {
        Matcher matcher = ITEM.matcher(text);
        return matcher.matches()
                ? Optional.of(new Count(Integer.parseInt(matcher.group(1)), matcher.group(2)))
                : Optional.empty();
    }
}
