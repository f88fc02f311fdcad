package dev.outpost.provider.k8s.reason.text;

import dev.outpost.provider.k8s.reason.text.NodeCounts.Count;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The message of kube-scheduler about a pod that fits no node: {@code 0/5 nodes are available: 2 Insufficient nvidia.com/gpu, 3 node(s)
 * were unschedulable. preemption: …}.
 *
 * @param total the number of nodes
 * @param counts the numbers of unsuitable nodes, by reason; a node may count for several resources
 */
public record SchedulerMessage(int total, List<Count> counts) {
    private static final Pattern FORM = Pattern.compile("^0/(\\d+) nodes are available: (.*)$", Pattern.DOTALL);
    private static final String NO_NODES = "no nodes available to schedule pods";

    /** Parses the message; empty if it has another form. Omits the part about preemption. */
    public static Optional<SchedulerMessage> parse(String message) {
        if (message.startsWith(NO_NODES)) {
            return Optional.of(new SchedulerMessage(0, List.of()));
        }
        Matcher matcher = FORM.matcher(message);
        return matcher.matches()
                ? Optional.of(new SchedulerMessage(
                        Integer.parseInt(matcher.group(1)), NodeCounts.parse(firstSentence(matcher.group(2)))))
                : Optional.empty();
    }

    private static String firstSentence(String text) {
        int end = text.indexOf(". ");
        String sentence = end < 0 ? text : text.substring(0, end);
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }
}
