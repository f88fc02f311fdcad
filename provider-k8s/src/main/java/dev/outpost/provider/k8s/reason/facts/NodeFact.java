package dev.outpost.provider.k8s.reason.facts;

import dev.outpost.provider.k8s.reason.text.NodeCounts.Count;
import dev.outpost.provider.k8s.reason.text.Phrase;
import dev.outpost.provider.k8s.reason.text.Taint;
import dev.outpost.provider.k8s.reason.text.Wording;
import java.util.List;
import java.util.stream.Stream;

/** So many nodes have that obstacle, put into words. */
public record NodeFact(NodeObstacle obstacle, int nodes, Phrase phrase) {

    /**
     * The facts of one count: of nodes without a free GPU, some may offer none at all.
     *
     * @param lacking how many nodes that fit offer no such GPU
     */
    public static List<NodeFact> of(Count count, NodeRequirements wanted, int lacking) {
        NodeObstacle obstacle = NodeObstacle.of(count.reason(), wanted);
        int without = obstacle == NodeObstacle.GPUS_TAKEN ? Math.min(lacking, count.number()) : 0;
        return Stream.of(
                        new NodeFact(obstacle, count.number() - without, phrase(obstacle, count.reason(), wanted)),
                        new NodeFact(NodeObstacle.NO_DEVICE_PLUGIN, without, noDevices(wanted)))
                .filter(fact -> fact.nodes() > 0)
                .toList();
    }

    /** {@code 3 are cordoned}. */
    public String text() {
        return nodes + " " + phrase.of(nodes);
    }

    /** {@code 3 of 5 nodes are cordoned}. */
    public String text(int total) {
        return nodes + " of " + Wording.counted(total, "node", "nodes") + " " + phrase.of(nodes);
    }

    /** The verb for nodes when there is none of the type. */
    public static String fitting(NodeRequirements wanted) {
        if (!wanted.isTyped()) {
            return "matches the node selectors";
        }
        return "is labelled as " + wanted.withArticle() + (wanted.selects() ? " and matches the node selectors" : "");
    }

    private static Phrase phrase(NodeObstacle obstacle, String reason, NodeRequirements wanted) {
        return switch (obstacle) {
            case NOT_ALLOCATED -> Phrase.of("has", "have", "no device for the claim");
            case GPUS_TAKEN -> taken(wanted);
            case NO_DEVICE_PLUGIN -> noDevices(wanted);
            case NO_ROOM -> noRoom(reason, wanted);
            case TAINTED -> Phrase.of("has", "have", taint(reason));
            case NOT_READY -> Phrase.of("is", "are", notReady(reason));
            case CONTROL_PLANE -> Phrase.of("belongs", "belong", "to the control plane");
            case NOT_SELECTED -> new Phrase("does not match the node selectors", "do not match the node selectors");
            case NOT_OF_TYPE -> notOfType(wanted);
            case OTHER -> Phrase.ofAny(reason.replaceFirst("^node\\(s\\) ", ""));
        };
    }

    private static Phrase taken(NodeRequirements wanted) {
        if (!wanted.isTyped()) {
            return Phrase.of("has", "have", "no " + wanted.resource() + " free");
        }
        String free = wanted.isWhole() ? "none is free" : "no " + wanted.resource() + " is free";
        return Phrase.of("has", "have", wanted.withArticle() + " and " + free);
    }

    private static Phrase noDevices(NodeRequirements wanted) {
        String offers = "no " + wanted.resource() + ": the device plugin is missing, or finds no healthy GPU";
        return wanted.isTyped()
                ? new Phrase(
                        "is labelled as " + wanted.withArticle() + " and offers " + offers,
                        "are labelled as " + wanted.withArticle() + " and offer " + offers)
                : Phrase.of("offers", "offer", offers);
    }

    private static Phrase noRoom(String reason, NodeRequirements wanted) {
        String scarce = reason.startsWith(NodeObstacle.INSUFFICIENT)
                ? "too little " + reason.substring(NodeObstacle.INSUFFICIENT.length()) + " free"
                : "as many pods as it may have";
        return Phrase.of("has", "have", wanted.isTyped() ? wanted.withArticle() + " and " + scarce : scarce);
    }

    private static String taint(String reason) {
        return Taint.in(reason)
                .filter(Taint::isNamed)
                .map(taint -> "the taint " + taint.name())
                .orElse("a taint that is not tolerated");
    }

    private static String notReady(String reason) {
        return Taint.in(reason).map(taint -> "not ready (" + taint.name() + ")").orElse("cordoned");
    }

    private static Phrase notOfType(NodeRequirements wanted) {
        String one = "is not labelled as " + wanted.withArticle();
        String several = "are not labelled as " + wanted.withArticle();
        return wanted.selects()
                ? new Phrase(
                        one + " or does not match the node selectors", several + " or do not match the node selectors")
                : new Phrase(one, several);
    }
}
