package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.symptom.SchedulingSymptom;
import java.util.List;

/** There is no node for the pod. */
final class SchedulingCases {
    private SchedulingCases() {}

    static List<PodCase> all() {
        return List.of(
                PodCase.of("earlier-pod", SchedulingSymptom.WAITING, "waiting for a node"),
                PodCase.of("waiting-for-a-node", SchedulingSymptom.WAITING, "waiting for a node"),
                PodCase.of(
                        "node-coming",
                        SchedulingSymptom.NODE_COMING,
                        "a node is being started: gpu-a100 grows from 0 to 1"),
                PodCase.of(
                        "node-coming-after-refusal",
                        SchedulingSymptom.NODE_COMING,
                        "a node is being started: gpu-a100 grows from 1 to 2"),
                PodCase.of(
                        "node-coming-gke",
                        SchedulingSymptom.NODE_COMING,
                        "a node is being started: gke-c-a100-05-grp grows from 1 to 2"),
                PodCase.of(
                        "node-coming-karpenter",
                        SchedulingSymptom.NODE_COMING,
                        "a node is being started: nodeclaim/gpu-v278f"),
                PodCase.of(
                        "gpus-taken",
                        SchedulingSymptom.GPUS_TAKEN,
                        "not enough GPUs free: 2 of 5 nodes have an A100 and none is free"),
                PodCase.of(
                        "gpus-taken-any",
                        SchedulingSymptom.GPUS_TAKEN,
                        "not enough GPUs free: 8 of 8 nodes have no nvidia.com/gpu free"),
                PodCase.of(
                        "gpus-taken-by-event",
                        SchedulingSymptom.GPUS_TAKEN,
                        "not enough GPUs free: 2 of 5 nodes have an A100 and none is free"),
                PodCase.of(
                        "gpus-taken-new-wording",
                        SchedulingSymptom.GPUS_TAKEN,
                        "not enough GPUs free: 2 of 5 nodes have an A100 and none is free"),
                PodCase.of(
                        "slices-taken",
                        SchedulingSymptom.GPUS_TAKEN,
                        "not enough GPUs free: 1 of 3 nodes has an A100 and no nvidia.com/mig-1g.10gb is " + "free"),
                PodCase.of(
                        "no-devices",
                        SchedulingSymptom.NO_DEVICE_PLUGIN,
                        "no GPUs offered: 2 of 5 nodes are labelled as an A100 and offer no nvidia.com/gpu: the device "
                                + "plugin is missing, or finds no healthy GPU"),
                PodCase.of(
                        "gpus-taken-or-lacking",
                        SchedulingSymptom.GPUS_TAKEN,
                        "not enough GPUs free: 1 of 5 nodes has an A100 and none is free, 1 is labelled as an A100 and "
                                + "offers no nvidia.com/gpu: the device plugin is missing, or finds no healthy GPU"),
                PodCase.of(
                        "claim-devices-taken",
                        SchedulingSymptom.GPUS_TAKEN,
                        "no device for the claim: 3 of 5 nodes have no device for the claim, 2 have the taint"
                                + " dedicated=research; 2 devices in the cluster fit, and none is free; tainted: 1 with"
                                + " gpu.nvidia.com/xid=79"),
                PodCase.of(
                        "claim-devices-unusable",
                        SchedulingSymptom.DEVICES_UNUSABLE,
                        "no device for the claim: 3 of 5 nodes have no device for the claim, 2 have the taint"
                                + " dedicated=research; 2 devices in the cluster fit, 1 of them not claimed in this"
                                + " namespace: on nodes that the pod cannot use, too few on one node, or claimed"
                                + " elsewhere"),
                PodCase.of(
                        "claim-without-device",
                        SchedulingSymptom.NO_DEVICE_FITS,
                        "no device for the claim: 3 of 5 nodes have no device for the claim, 2 have the taint"
                                + " dedicated=research; of 2 devices none fits: 2 with productName NVIDIA H100 80GB"
                                + " HBM3"),
                PodCase.of(
                        "claim-devices-tainted",
                        SchedulingSymptom.DEVICES_TAINTED,
                        "no device for the claim: 3 of 5 nodes have no device for the claim, 2 have the taint"
                                + " dedicated=research; 1 device in the cluster fits, but for a taint: 1 with"
                                + " gpu.nvidia.com/xid=79"),
                PodCase.of(
                        "claim-no-devices",
                        SchedulingSymptom.NO_DEVICES,
                        "no device for the claim: 3 of 5 nodes have no device for the claim, 2 have the taint"
                                + " dedicated=research; no node publishes a device of the class gpu.nvidia.com"),
                PodCase.of(
                        "claim-pending",
                        SchedulingSymptom.CLAIM_PENDING,
                        "no device for the claim: 3 of 5 nodes have no device for the claim, 2 have the taint"
                                + " dedicated=research"),
                PodCase.of(
                        "claim-not-created",
                        SchedulingSymptom.CLAIM_NOT_CREATED,
                        "the claim of the pod cannot be created: resource claim template \"outpost-a100-x7k2m9qd\":"
                                + " resourceclaimtemplate.resource.k8s.io \"outpost-a100-x7k2m9qd\" not found"),
                PodCase.of("claim-no-class", SchedulingSymptom.NO_DEVICE_CLASS, "no such DeviceClass: gpu.nvidia.com"),
                PodCase.of(
                        "no-room",
                        SchedulingSymptom.NO_ROOM,
                        "not enough room: 1 of 5 nodes has an A100 and too little cpu free, 2 have an A100 "
                                + "and too little memory free"),
                PodCase.of(
                        "too-many-pods",
                        SchedulingSymptom.NO_ROOM,
                        "not enough room: 1 of 2 nodes has an A100 and as many pods as it may have"),
                PodCase.of(
                        "tainted",
                        SchedulingSymptom.TAINTED,
                        "untolerated taint: 2 of 5 nodes have the taint dedicated=research, 2 are not "
                                + "labelled as an A100, 1 belongs to the control plane"),
                PodCase.of(
                        "tainted-old-wording",
                        SchedulingSymptom.TAINTED,
                        "untolerated taint: 2 of 3 nodes have the taint dedicated=research, 1 belongs to "
                                + "the control plane"),
                PodCase.of(
                        "tainted-unnamed",
                        SchedulingSymptom.TAINTED,
                        "untolerated taint: 1 of 5 nodes has a taint that is not tolerated, 4 are not "
                                + "labelled as an A100"),
                PodCase.of(
                        "nodes-not-ready",
                        SchedulingSymptom.NOT_READY,
                        "nodes that are not ready: 1 of 4 nodes is not ready "
                                + "(node.kubernetes.io/not-ready), 1 is cordoned, 2 are not labelled as an A100"),
                PodCase.of(
                        "no-node-of-type",
                        SchedulingSymptom.NO_NODE_OF_TYPE,
                        "no node of that type: none of 5 nodes is labelled as an A100"),
                PodCase.of(
                        "no-node-of-type-but-control-plane",
                        SchedulingSymptom.NO_NODE_OF_TYPE,
                        "no node of that type: 2 of 3 nodes are not labelled as an A100, 1 belongs to the "
                                + "control plane"),
                PodCase.of(
                        "no-node-of-type-selected",
                        SchedulingSymptom.NO_NODE_OF_TYPE,
                        "no node of that type: 1 of 1 node is not labelled as a T4 or does not match the "
                                + "node selectors"),
                PodCase.of(
                        "no-node-selected",
                        SchedulingSymptom.NO_NODE_SELECTED,
                        "no such node: none of 5 nodes matches the node selectors"),
                PodCase.of("no-nodes", SchedulingSymptom.NO_NODES, "the cluster has no nodes"),
                PodCase.of(
                        "unschedulable",
                        SchedulingSymptom.UNSCHEDULABLE,
                        "unschedulable: running PreBind plugin \"VolumeBinding\": binding volumes: context "
                                + "deadline exceeded"),
                PodCase.of(
                        "volume-elsewhere",
                        SchedulingSymptom.UNSCHEDULABLE,
                        "unschedulable: 1 of 3 nodes had volume node affinity conflict, 2 are not labelled "
                                + "as an A100"),
                PodCase.of(
                        "autoscaler-at-maximum",
                        SchedulingSymptom.AT_MAXIMUM,
                        "the autoscaler adds no node: 1 node group is at the limit (max node group size "
                                + "reached), 12 node groups have nodes with other labels; not enough GPUs free: 2 of "
                                + "5 nodes have an A100 and none is free"),
                PodCase.of(
                        "karpenter-at-limit",
                        SchedulingSymptom.AT_MAXIMUM,
                        "the autoscaler adds no node: NodePool gpu is at its limits; no node of that type: "
                                + "none of 5 nodes is labelled as an A100"),
                PodCase.of(
                        "autoscaler-failed",
                        SchedulingSymptom.SCALE_UP_FAILED,
                        "the autoscaler got no node: Node scale up in zones us-central1-a associated with "
                                + "this pod failed: GCE out of resources; no node of that type: none of 5 nodes is "
                                + "labelled as an A100"),
                PodCase.of(
                        "autoscaler-resting",
                        SchedulingSymptom.SCALE_UP_FAILED,
                        "the autoscaler adds no node: 1 node group rests after a start that failed, 1 node "
                                + "group has nodes with other labels; no node of that type: none of 5 nodes is "
                                + "labelled as an A100"),
                PodCase.of(
                        "autoscaler-tainted",
                        SchedulingSymptom.GROUP_TAINTED,
                        "the autoscaler adds no node: 1 node group has an untolerated taint "
                                + "(dedicated=research), 2 node groups have nodes with other labels; no node of that "
                                + "type: none of 5 nodes is labelled as an A100"),
                PodCase.of(
                        "karpenter-tainted",
                        SchedulingSymptom.GROUP_TAINTED,
                        "the autoscaler adds no node: NodePool gpu has the untolerated taint "
                                + "dedicated=research:NoSchedule, NodePool default has no such nodes; no node of "
                                + "that type: none of 5 nodes is labelled as an A100"),
                PodCase.of(
                        "karpenter-tainted-new-wording",
                        SchedulingSymptom.GROUP_TAINTED,
                        "the autoscaler adds no node: a NodePool has the untolerated taint "
                                + "dedicated=research:NoSchedule, a NodePool has no such nodes; no node of that "
                                + "type: none of 5 nodes is labelled as an A100"),
                PodCase.of(
                        "autoscaler-no-group",
                        SchedulingSymptom.NO_GROUP_FITS,
                        "the autoscaler adds no node: 2 node groups have nodes with too little "
                                + "nvidia.com/gpu, 1 node group has nodes with other labels; no node of that type: "
                                + "none of 5 nodes is labelled as an A100"),
                PodCase.of(
                        "karpenter-no-pool",
                        SchedulingSymptom.NO_GROUP_FITS,
                        "the autoscaler adds no node: NodePool default has no such nodes (it does not know "
                                + "the label nvidia.com/gpu.product); no node of that type: none of 5 nodes is "
                                + "labelled as an A100"),
                PodCase.of(
                        "autoscaler-silent",
                        SchedulingSymptom.NO_SCALE_UP,
                        "the autoscaler adds no node: it does not say why; no node of that type: none of 5 "
                                + "nodes is labelled as an A100"),
                PodCase.of(
                        "karpenter-other",
                        SchedulingSymptom.NO_SCALE_UP,
                        "the autoscaler adds no node: nodepools are being restarted; no node of that type: "
                                + "none of 5 nodes is labelled as an A100"));
    }
}
