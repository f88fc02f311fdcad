package dev.outpost.provider.k8s.reason.facts;

import dev.outpost.provider.k8s.reason.symptom.SchedulingSymptom;
import dev.outpost.provider.k8s.reason.text.Taint;
import java.util.Optional;

/** The reasons why nodes are unsuitable, the most informative first. The sentence names the first reason that applies to any node. */
public enum NodeObstacle {
    NOT_ALLOCATED(SchedulingSymptom.CLAIM_PENDING, "no device for the claim"),
    GPUS_TAKEN(SchedulingSymptom.GPUS_TAKEN, "not enough GPUs free"),
    NO_DEVICE_PLUGIN(SchedulingSymptom.NO_DEVICE_PLUGIN, "no GPUs offered"),
    NO_ROOM(SchedulingSymptom.NO_ROOM, "not enough room"),
    OTHER(SchedulingSymptom.UNSCHEDULABLE, "unschedulable"),
    TAINTED(SchedulingSymptom.TAINTED, "untolerated taint"),
    NOT_READY(SchedulingSymptom.NOT_READY, "nodes that are not ready"),
    NOT_SELECTED(SchedulingSymptom.NO_NODE_SELECTED, "no such node"),
    NOT_OF_TYPE(SchedulingSymptom.NO_NODE_OF_TYPE, "no node of that type"),
    CONTROL_PLANE(SchedulingSymptom.NO_NODE_OF_TYPE, "no node of that type");

    static final String INSUFFICIENT = "Insufficient ";

    private final SchedulingSymptom symptom;
    private final String headline;

    NodeObstacle(SchedulingSymptom symptom, String headline) {
        this.symptom = symptom;
        this.headline = headline;
    }

    public SchedulingSymptom symptom() {
        return symptom;
    }

    public String headline() {
        return headline;
    }

    /** Returns true if the nodes have the right type of GPU. The sentence then does not mention other nodes. */
    public boolean isOfFittingNodes() {
        return this == GPUS_TAKEN || this == NO_DEVICE_PLUGIN || this == NO_ROOM;
    }

    /** Returns true if the nodes are not those that were requested. */
    public boolean isOfOtherNodes() {
        return this == NOT_SELECTED || this == NOT_OF_TYPE;
    }

    public static NodeObstacle of(String reason, NodeRequirements requirements) {
        Optional<Taint> taint = Taint.in(reason);
        if (taint.isPresent()) {
            return of(taint.get());
        }
        if (reason.startsWith(INSUFFICIENT) || reason.equals("Too many pods")) {
            return reason.equals(INSUFFICIENT + requirements.resource()) ? GPUS_TAKEN : NO_ROOM;
        }
        if (reason.equals("cannot allocate all claims")) {
            return NOT_ALLOCATED;
        }
        if (reason.contains("were unschedulable")) {
            return NOT_READY;
        }
        if (isAffinity(reason)) {
            return requirements.isTyped() ? NOT_OF_TYPE : NOT_SELECTED;
        }
        return OTHER;
    }

    public static boolean isAffinity(String reason) {
        return reason.contains("node affinity/selector") || reason.contains("didn't match node selector");
    }

    private static NodeObstacle of(Taint taint) {
        if (taint.isOfTheControlPlane()) {
            return CONTROL_PLANE;
        }
        return taint.isOfTheNodesState() ? NOT_READY : TAINTED;
    }
}
