package dev.outpost.simulated.kubernetes.node;

import dev.outpost.simulated.kubernetes.api.PodPhases;
import dev.outpost.simulated.kubernetes.device.DeviceScheduling;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The scheduler's decision on a pod.
 *
 * @param node the node for the pod; empty if none is suitable
 * @param message the reason why no node is suitable, in the scheduler's words; empty if one is
 */
record SchedulingDecision(Optional<String> node, String message) {
    private static final String NO_HELP = "Preemption is not helpful for scheduling";
    private static final String NO_VICTIMS = "No preemption victims found for incoming pod";

    /**
     * Chooses among the suitable nodes by the best devices, then by preference, then the first one; {@code pods} are all existing pods.
     */
    static SchedulingDecision of(Pod pod, List<Node> nodes, List<Pod> pods, DeviceScheduling devices) {
        if (nodes.isEmpty()) {
            return new SchedulingDecision(Optional.empty(), "no nodes available to schedule pods");
        }
        Optional<String> everywhere = devices.obstacleEverywhere();
        if (everywhere.isPresent()) {
            return new SchedulingDecision(
                    Optional.empty(),
                    "0/" + nodes.size() + " nodes are available: " + everywhere.get() + ". preemption: 0/"
                            + nodes.size() + " nodes are available: " + nodes.size() + " " + NO_HELP + ".");
        }
        List<List<String>> obstacles = new ArrayList<>();
        List<Node> fitting = new ArrayList<>();
        for (Node node : nodes) {
            List<String> found = NodeFit.obstacles(pod, node, on(node, pods));
            List<String> all =
                    found.isEmpty() ? devices.obstacles(node.getMetadata().getName()) : found;
            if (all.isEmpty()) {
                fitting.add(node);
            }
            obstacles.add(all);
        }
        return fitting.stream()
                .min(Comparator.<Node>comparingInt(
                                node -> devices.rank(node.getMetadata().getName()))
                        .thenComparing(node -> -NodeSelection.preference(pod.getSpec(), node)))
                .map(node ->
                        new SchedulingDecision(Optional.of(node.getMetadata().getName()), ""))
                .orElseGet(() -> new SchedulingDecision(Optional.empty(), message(obstacles)));
    }

    private static List<Pod> on(Node node, List<Pod> pods) {
        String name = node.getMetadata().getName();
        return pods.stream()
                .filter(pod -> name.equals(pod.getSpec().getNodeName()))
                .filter(pod -> !PodPhases.hasEnded(pod))
                .toList();
    }

    private static String message(List<List<String>> obstacles) {
        String none = "0/" + obstacles.size() + " nodes are available: ";
        return none + histogram(obstacles.stream().flatMap(List::stream)) + ". preemption: " + none
                + histogram(obstacles.stream().map(SchedulingDecision::preemption)) + ".";
    }

    private static String preemption(List<String> obstacles) {
        return obstacles.stream().allMatch(obstacle -> obstacle.startsWith("Insufficient")) ? NO_VICTIMS : NO_HELP;
    }

    private static String histogram(Stream<String> reasons) {
        Map<String, Long> counts =
                reasons.collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
