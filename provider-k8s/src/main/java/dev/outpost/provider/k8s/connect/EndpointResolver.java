package dev.outpost.provider.k8s.connect;

import dev.outpost.channel.Trust;
import dev.outpost.provider.ProvisioningStep.Phase;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.cluster.ClusterException;
import dev.outpost.provider.k8s.config.AccessMode;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.reach.MachineRoutes;
import dev.outpost.provider.k8s.reach.MachineRoute;
import dev.outpost.provider.k8s.task.ProvisioningScope;
import dev.outpost.provider.k8s.task.Span;
import dev.outpost.provider.k8s.task.StartContext;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the way to a machine that is ready, or to the machines of a group one after the other, and waits for an address where the
 * cluster has yet to give one. For one thread.
 */
public final class EndpointResolver {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointResolver.class);

    private final Cluster cluster;
    private final KubernetesConfig config;
    private final StartContext effort;
    private boolean areNoPodsReached;

    public EndpointResolver(ProvisioningScope attempt) {
        this.cluster = attempt.cluster();
        this.config = attempt.config();
        this.effort = attempt.effort();
    }

    /**
     * Opens a way. Where none is set and this program runs outside of the cluster, the pod's own address is tried first: sessions by
     * it are faster, and do not need the API server.
     *
     * @param machine the id
     * @param pin of the machine's certificate
     * @throws ClusterException when there is no address within the time that the settings allow
     */
    public MachineRoute open(String machine, Pod pod, Trust.Pin pin) {
        AccessMode wayIn = MachineRoutes.chosen(config.endpoint(), cluster.isAround());
        if (config.endpoint() == AccessMode.AUTO && wayIn == AccessMode.PORT_FORWARD && !areNoPodsReached) {
            Optional<MachineRoute> direct = MachineRoutes.direct(pod, pin);
            if (direct.isPresent()) {
                tell(machine, AccessMode.POD_IP);
                return direct.get();
            }
            areNoPodsReached = true;
        }
        tell(machine, wayIn);
        return open(wayIn, machine, pod);
    }

    private void tell(String machine, AccessMode wayIn) {
        if (config.endpoint() == AccessMode.AUTO) {
            LOG.info("{} is reached by {} (outpost.k8s.endpoint chooses another way)", machine, name(wayIn));
        }
        effort.progress().report(Phase.CONNECTING, "connecting by " + name(wayIn));
    }

    private MachineRoute open(AccessMode wayIn, String machine, Pod pod) {
        Duration latest = effort.demand().elapsed().plus(config.connectTimeout());
        Optional<MachineRoute> way = find(wayIn, machine, pod);
        while (way.isEmpty()) {
            requireTime(latest, wayIn, machine);
            effort.demand().pause(effort.surroundings().pace().reopen());
            way = find(wayIn, machine, pod);
        }
        return way.get();
    }

    private Optional<MachineRoute> find(AccessMode wayIn, String machine, Pod pod) {
        return effort.ask(() -> cluster.reach().open(wayIn, machine, pod));
    }

    private void requireTime(Duration latest, AccessMode wayIn, String machine) {
        if (effort.demand().elapsed().compareTo(latest) >= 0) {
            throw new ClusterException("the machine is ready, but its " + name(wayIn) + " " + machine
                    + " got no address within " + Span.text(config.connectTimeout())
                    + " (outpost.k8s.connect-timeout). Allow it more time, or choose another outpost.k8s.endpoint.");
        }
    }

    private static String name(AccessMode wayIn) {
        return wayIn.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
