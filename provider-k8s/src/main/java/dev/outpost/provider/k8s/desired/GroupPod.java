package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.k8s.devices.GpuClaim;
import dev.outpost.provider.k8s.keys.MachineKey;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTerm;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTermBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPortBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the pods of a group: one for each member, close to each other, or one pod with a container for each member.
 */
final class GroupPod {
    private static final String GRANT_FOLDER = "/var/run/outpost/group";
    static final String GRANT_VOLUME = "group";
    private static final String GRANT_FILE = "OUTPOST_RUNTIME_PEERS_GRANT_FILE";
    /** The variable that Kubernetes sets in each pod of an Indexed Job. */
    private static final String INDEX = "JOB_COMPLETION_INDEX";

    private static final String FIRST = "OUTPOST_RUNTIME_END_FIRST";

    private static final int KEY_MODE = 0440;
    private static final int DNS_PORT = 53;
    /** The weight of a node with another member of the group; it is higher than the weight of a node in the same zone. */
    private static final int NODE_WEIGHT = 100;

    private static final int ZONE_WEIGHT = 50;

    private GroupPod() {}

    static PodSpec of(GroupRequest group) {
        PodSpec one = MachinePod.of(group.machine());
        PodSpecBuilder pod = new PodSpecBuilder(one)
                .withSubdomain(group.id())
                .withContainers(containers(group, one.getContainers().getFirst()))
                .editMatchingVolume(volume -> volume.getName().equals(MachinePod.KEY))
                .editSecret()
                .withItems(keys(group))
                .endSecret()
                .endVolume()
                .addNewVolume()
                .withName(GRANT_VOLUME)
                .withNewSecret()
                .withSecretName(group.id())
                .withDefaultMode(KEY_MODE)
                .withItems(new KeyToPath(GroupState.GRANT, null, GroupState.GRANT))
                .endSecret()
                .endVolume();
        if (!group.isOnePod()) {
            pod.withAffinity(near(group, one.getAffinity()));
        }
        return pod.build();
    }

    // ---- containers

    private static List<Container> containers(GroupRequest group, Container one) {
        Duration timeout = group.machine().config().startTimeout();
        if (!group.isOnePod()) {
            return List.of(member(one, "$(" + INDEX + ")", timeout));
        }
        List<Container> containers = new ArrayList<>();
        for (int rank = 0; rank < group.members(); rank++) {
            Container member = onPorts(member(one, String.valueOf(rank), timeout), rank);
            containers.add(
                    group.machine().hasClaim() ? withDevice(member, GpuClaim.request(rank, group.members())) : member);
        }
        return containers;
    }

    /**
     * Makes the container of a member. While it waits for the other members, it needs no client.
     *
     * @param rank the rank of the member, or the expression that Kubernetes replaces by it
     * @param timeout the maximum time of a group's start
     */
    private static Container member(Container one, String rank, Duration timeout) {
        return new ContainerBuilder(one)
                .editMatchingVolumeMount(mount -> mount.getName().equals(MachinePod.KEY))
                .withSubPathExpr(rank)
                .endVolumeMount()
                .addNewVolumeMount()
                .withName(GRANT_VOLUME)
                .withMountPath(GRANT_FOLDER)
                .withReadOnly(true)
                .endVolumeMount()
                .addToEnv(
                        new EnvVar(GRANT_FILE, GRANT_FOLDER + "/" + GroupState.GRANT, null),
                        new EnvVar(FIRST, timeout.toString(), null))
                .build();
    }

    /** Assigns the container its own request of the pod's claim. */
    private static Container withDevice(Container member, String request) {
        return new ContainerBuilder(member)
                .editResources()
                .withClaims(MachineContainer.claim(request))
                .endResources()
                .build();
    }

    /** Assigns the container its own ports, because the containers of a pod share an address. */
    private static Container onPorts(Container one, int rank) {
        Container member = new ContainerBuilder(one)
                .withName(name(rank))
                .editMatchingEnv(variable -> variable.getName().equals("OUTPOST_RUNTIME_PORT"))
                .withValue(String.valueOf(sessionPort(rank)))
                .endEnv()
                .editMatchingEnv(variable -> variable.getName().equals("OUTPOST_RUNTIME_MANAGEMENT_PORT"))
                .withValue(String.valueOf(managementPort(rank)))
                .endEnv()
                .build();
        for (ContainerPort port : member.getPorts()) {
            boolean isSession = port.getName().equals(MachineContainer.SESSION);
            port.setContainerPort(isSession ? sessionPort(rank) : managementPort(rank));
            port.setName(port.getName() + "-" + rank);
        }
        for (Probe probe : List.of(member.getStartupProbe(), member.getReadinessProbe(), member.getLivenessProbe())) {
            probe.getHttpGet().setPort(new IntOrString(managementPort(rank)));
        }
        return member;
    }

    static String name(int rank) {
        return rank == 0 ? MachineContainer.NAME : MachineContainer.NAME + "-" + rank;
    }

    static int sessionPort(int rank) {
        return MachineContainer.SESSION_PORT + 2 * rank;
    }

    private static int managementPort(int rank) {
        return MachineContainer.MANAGEMENT_PORT + 2 * rank;
    }

    static List<NetworkPolicyPort> openPorts(GroupRequest group) {
        List<NetworkPolicyPort> ports = new ArrayList<>();
        for (int rank = 0; rank < (group.isOnePod() ? group.members() : 1); rank++) {
            ports.add(open(sessionPort(rank)));
            ports.add(open(managementPort(rank)));
        }
        return ports;
    }

    /** Returns the ports of DNS, which resolves the members' names. */
    static List<NetworkPolicyPort> namePorts() {
        return List.of(open("UDP", DNS_PORT), open("TCP", DNS_PORT));
    }

    private static NetworkPolicyPort open(int port) {
        return open("TCP", port);
    }

    private static NetworkPolicyPort open(String protocol, int port) {
        return new NetworkPolicyPortBuilder()
                .withProtocol(protocol)
                .withPort(new IntOrString(port))
                .build();
    }

    /**
     * Returns the files of all members: the keys of the Secret, in one folder for each member. A container sees only
     * its own folder.
     */
    private static List<KeyToPath> keys(GroupRequest group) {
        List<KeyToPath> keys = new ArrayList<>();
        for (int rank = 0; rank < group.members(); rank++) {
            for (String file : List.of(MachineKey.CERTIFICATE, MachineKey.PRIVATE_KEY, MachineKey.TOKEN)) {
                keys.add(new KeyToPath(GroupState.key(rank, file), null, rank + "/" + file));
            }
        }
        return keys;
    }

    // ---- affinity

    private static Affinity near(GroupRequest group, Affinity ofOne) {
        return (ofOne == null ? new AffinityBuilder() : new AffinityBuilder(ofOne))
                .withNewPodAffinity()
                .withPreferredDuringSchedulingIgnoredDuringExecution(
                        near(group, "kubernetes.io/hostname", NODE_WEIGHT),
                        near(group, "topology.kubernetes.io/zone", ZONE_WEIGHT))
                .endPodAffinity()
                .build();
    }

    private static WeightedPodAffinityTerm near(GroupRequest group, String topology, int weight) {
        return new WeightedPodAffinityTermBuilder()
                .withWeight(weight)
                .withNewPodAffinityTerm()
                .withTopologyKey(topology)
                .withNewLabelSelector()
                .withMatchLabels(MachineLabels.of(group.id()))
                .endLabelSelector()
                .endPodAffinityTerm()
                .build();
    }
}
