package dev.outpost.provider.k8s.reason.symptom;

import dev.outpost.provider.MachinePhase;

/**
 * The symptoms while the pod has no node. None is final, because a node may be added, freed or repaired at any time. If an autoscaler
 * gives several reasons for groups of nodes, the one that comes first here decides the remedy.
 */
public enum SchedulingSymptom implements Symptom {
    WAITING("not looked at yet", SymptomOutcome.GOES_ON, ""),
    NODE_COMING("a node is being started", SymptomOutcome.GOES_ON, ""),
    GPUS_TAKEN(
            "not enough GPUs free",
            "It starts when one is given back: stop unneeded machines (./outpost machines list), or ask for another"
                    + " type. Where users may not read nodes, a missing device plugin or an unhealthy GPU looks the same (./outpost doctor)."),
    NO_DEVICE_PLUGIN(
            "nodes without a device plugin",
            "Install or restart NVIDIA's device plugin on these nodes, or set outpost.k8s.resource-name to the"
                    + " resource that they offer (kubectl describe node shows it under Allocatable)."),
    DEVICES_UNUSABLE(
            "free devices that the pod cannot use",
            "Uncordon the nodes of these devices (kubectl get resourceslices names them), tolerate their taints by"
                    + " outpost.k8s.tolerations, correct outpost.k8s.node-selector, or ask for fewer GPUs on one node."
                    + " It also starts when another namespace gives a device back."),
    NO_DEVICE_FITS(
            "no device fits the claim",
            "Add a node with that GPU, or ask for another type; where the driver calls it otherwise, set"
                    + " outpost.k8s.gpus.<GPU>.device-selector."),
    DEVICES_TAINTED(
            "tainted devices",
            "The driver reports them as unhealthy: kubectl get resourceslices -o yaml shows the taints. Repair or drain their"
                    + " nodes."),
    NO_DEVICES(
            "no devices published",
            "Look at the pods of the DRA driver on the nodes with GPUs; or set"
                    + " outpost.k8s.gpu-allocation=extended-resource where a device plugin offers them."),
    CLAIM_PENDING(
            "no device for the claim",
            "It starts when a device is free; deploy/components/device-reader lets this user see why none is."),
    CLAIM_NOT_CREATED(
            "the claim cannot be created",
            "Kubernetes tries again. If its message names a quota (kubectl describe resourcequotas), raise it or stop unneeded"
                    + " machines; if it names a template, start the machine again."),
    NO_DEVICE_CLASS(
            "no such DeviceClass",
            "Install the DRA driver, correct outpost.k8s.device-class, or set"
                    + " outpost.k8s.gpu-allocation=extended-resource."),
    NO_ROOM(
            "not enough CPU, memory or disk free",
            "Ask for less by outpost.k8s.cpu and outpost.k8s.memory, or add a larger node."),
    TAINTED(
            "untolerated taint",
            "If the machine should use these nodes, tolerate the taint (kubectl describe nodes shows it) by"
                    + " outpost.k8s.tolerations, or remove it from them."),
    NOT_READY("nodes that are not ready", "Repair or uncordon the nodes: kubectl describe nodes shows the reason."),
    NO_NODE_OF_TYPE(
            "no node of that type",
            "Add a node with that GPU, or ask for another type; where nodes carry other labels, set"
                    + " outpost.k8s.gpus.<GPU>.node-selector."),
    NO_NODE_SELECTED("no node matches the node selectors", "Correct outpost.k8s.node-selector, or label a node so."),
    NO_NODES("a cluster without nodes", "Add a node with that GPU."),
    UNSCHEDULABLE("unschedulable for another reason", "Look at the pod: kubectl describe pod tells more."),
    AT_MAXIMUM(
            "the autoscaler is at its limit",
            "Raise the maximum size of the node group, or the limits of the NodePool, that has that GPU."),
    SCALE_UP_FAILED(
            "the autoscaler got no node",
            "The cloud has none or the account may have no more: try another zone or type, or raise its quota."),
    GROUP_TAINTED(
            "the autoscaler's nodes have an untolerated taint",
            "If the machine should use these nodes, tolerate the taint by outpost.k8s.tolerations."),
    NO_GROUP_FITS(
            "the autoscaler has no such nodes",
            "Add a node group or NodePool with that GPU; one that begins at zero nodes has to declare the labels and"
                    + " the GPU of its nodes."),
    NO_SCALE_UP(
            "the autoscaler will not scale up for another reason",
            "Look at the events of the pod: kubectl describe pod.");

    private final Description description;

    /** Makes a symptom whose usual outcome is {@code WAITS}. */
    SchedulingSymptom(String title, String remedy) {
        this(title, SymptomOutcome.WAITS, remedy);
    }

    SchedulingSymptom(String title, SymptomOutcome outcome, String remedy) {
        this.description = new Description(title, outcome, remedy);
    }

    @Override
    public Description description() {
        return description;
    }

    @Override
    public MachinePhase phase() {
        return MachinePhase.SCHEDULING;
    }
}
