package dev.outpost.provider.k8s.reason.facts;

import dev.outpost.provider.k8s.reason.text.NodeCounts.Count;
import dev.outpost.provider.k8s.reason.text.Phrase;
import dev.outpost.provider.k8s.reason.text.Taint;
import dev.outpost.provider.k8s.reason.text.Wording;
import java.util.List;
import java.util.stream.Stream;

/** The number of nodes that have an obstacle, with its wording. */
public record NodeFact(NodeObstacle obstacle, int nodes, Phrase phrase) {

    /**
     * Returns the facts of one count. Nodes without a free GPU are divided into those with and without any GPU of the
     * kind.
     *
     * @param lacking the number of suitable nodes that offer no such GPU
     */
    public static List<NodeFact> of(Count count, NodeRequirements requirements, int lacking) {
        NodeObstacle obstacle = NodeObstacle.of(count.reason(), requirements);
        int without = obstacle == NodeObstacle.GPUS_TAKEN ? Math.min(lacking, count.number()) : 0;
        return Stream.of(
                        new NodeFact(
                                obstacle, count.number() - without, phrase(obstacle, count.reason(), requirements)),
                        new NodeFact(NodeObstacle.NO_DEVICE_PLUGIN, without, noDevices(requirements)))
                .filter(fact -> fact.nodes() > 0)
                .toList();
    }

    /** Returns a text such as {@code 3 are cordoned}. */
    public String text() {
        return nodes + " " + phrase.of(nodes);
    }

    /** Returns a text such as {@code 3 of 5 nodes are cordoned}. */
    public String text(int total) {
        return nodes + " of " + Wording.counted(total, "node", "nodes") + " " + phrase.of(nodes);
    }

    /**
     * Returns the predicate for suitable nodes, such as {@code is labelled as an A100}, for the sentence that no node
     * is suitable.
     */
    public static String fitting(NodeRequirements requirements) {
        if (!requirements.isTyped()) {
            return "matches the node selectors";
        }
        return "is labelled as " + requirements.withArticle()
                + (requirements.selects() ? " and matches the node selectors" : "");
    }

    private static Phrase phrase(NodeObstacle obstacle, String reason, NodeRequirements requirements) {
        return switch (obstacle) {
            case NOT_ALLOCATED -> Phrase.of("has", "have", "no device for the claim");
            case GPUS_TAKEN -> taken(requirements);
            case NO_DEVICE_PLUGIN -> noDevices(requirements);
            case NO_ROOM -> noRoom(reason, requirements);
            case TAINTED -> Phrase.of("has", "have", taint(reason));
            case NOT_READY -> Phrase.of("is", "are", notReady(reason));
            case CONTROL_PLANE -> Phrase.of("belongs", "belong", "to the control plane");
            case NOT_SELECTED -> new Phrase("does not match the node selectors", "do not match the node selectors");
            case NOT_OF_TYPE -> notOfType(requirements);
            case OTHER -> Phrase.ofAny(reason.replaceFirst("^node\\(s\\) ", ""));
        };
    }

    private static Phrase taken(NodeRequirements requirements) {
        if (!requirements.isTyped()) {
            return Phrase.of("has", "have", "no " + requirements.resource() + " free");
        }
        String free = requirements.isWhole() ? "none is free" : "no " + requirements.resource() + " is free";
        return Phrase.of("has", "have", requirements.withArticle() + " and " + free);
    }

    private static Phrase noDevices(NodeRequirements requirements) {
        String offers = "no " + requirements.resource() + ": the device plugin is missing, or finds no healthy GPU";
        return requirements.isTyped()
                ? new Phrase(
                        "is labelled as " + requirements.withArticle() + " and offers " + offers,
                        "are labelled as " + requirements.withArticle() + " and offer " + offers)
                : Phrase.of("offers", "offer", offers);
    }

    private static Phrase noRoom(String reason, NodeRequirements requirements) {
        String scarce = reason.startsWith(NodeObstacle.INSUFFICIENT)
                ? "too little " + reason.substring(NodeObstacle.INSUFFICIENT.length()) + " free"
                : "as many pods as it may have";
        return Phrase.of(
                "has", "have", requirements.isTyped() ? requirements.withArticle() + " and " + scarce : scarce);
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

    private static Phrase notOfType(NodeRequirements requirements) {
        String one = "is not labelled as " + requirements.withArticle();
        String several = "are not labelled as " + requirements.withArticle();
        return requirements.selects()
                ? new Phrase(
                        one + " or does not match the node selectors", several + " or do not match the node selectors")
                : new Phrase(one, several);
    }
}
