package dev.outpost.provider.k8s.connect;

import dev.outpost.channel.Trust;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.cluster.ClusterException;
import dev.outpost.provider.k8s.config.AccessMode;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.reach.MachineRoute;
import dev.outpost.provider.k8s.reach.MachineRoutes;
import dev.outpost.provider.k8s.task.ProvisioningScope;
import dev.outpost.provider.k8s.task.ShutdownRegistry;
import dev.outpost.provider.k8s.task.Span;
import dev.outpost.provider.k8s.task.StartContext;
import dev.outpost.provider.support.SettingChoice;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the route to a ready machine, or to the machines of a group one after the other. Waits if the cluster has not assigned an
 * address yet. Not thread-safe.
 */
public final class EndpointResolver {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointResolver.class);

    private final Cluster cluster;
    private final KubernetesConfig config;
    private final StartContext context;
    private final ShutdownRegistry shutdown;
    private boolean areNoPodsReached;

    public EndpointResolver(ProvisioningScope scope) {
        this.cluster = scope.cluster();
        this.config = scope.config();
        this.context = scope.context();
        this.shutdown = scope.shutdown();
    }

    /**
     * Opens a route, which the scope closes. If no access mode is set and this program runs outside of the cluster, it tries the pod's own
     * address first, because sessions over it are faster and do not need the API server.
     *
     * @param machine the id
     * @param pin the pin of the machine's certificate
     * @throws ClusterException if there is no address within the time that the settings allow
     */
    public MachineRoute open(String machine, Pod pod, Trust.Pin pin) {
        MachineRoute route = choose(machine, pod, pin);
        shutdown.add(route::close);
        return route;
    }

    private MachineRoute choose(String machine, Pod pod, Trust.Pin pin) {
        AccessMode accessMode = MachineRoutes.chosen(config.endpoint(), cluster.isAround());
        if (config.endpoint() == AccessMode.AUTO && accessMode == AccessMode.PORT_FORWARD && !areNoPodsReached) {
            Optional<MachineRoute> direct = MachineRoutes.direct(pod, pin);
            if (direct.isPresent()) {
                report(machine, AccessMode.POD_IP);
                return direct.get();
            }
            areNoPodsReached = true;
        }
        report(machine, accessMode);
        return open(accessMode, machine, pod);
    }

    private void report(String machine, AccessMode accessMode) {
        if (config.endpoint() == AccessMode.AUTO) {
            LOG.info(
                    "{} is reached by {} (outpost.k8s.endpoint chooses another way)",
                    machine,
                    SettingChoice.text(accessMode));
        }
        context.progress().report(MachinePhase.CONNECTING, "connecting by " + SettingChoice.text(accessMode));
    }

    private MachineRoute open(AccessMode accessMode, String machine, Pod pod) {
        Duration latest = context.deadline().elapsed().plus(config.connectTimeout());
        Optional<MachineRoute> machineRoute = find(accessMode, machine, pod);
        while (machineRoute.isEmpty()) {
            requireTime(latest, accessMode, machine);
            context.deadline().pause(context.context().polling().reopen());
            machineRoute = find(accessMode, machine, pod);
        }
        return machineRoute.get();
    }

    private Optional<MachineRoute> find(AccessMode accessMode, String machine, Pod pod) {
        return context.ask(() -> cluster.reach().open(accessMode, machine, pod));
    }

    private void requireTime(Duration latest, AccessMode accessMode, String machine) {
        if (context.deadline().elapsed().compareTo(latest) >= 0) {
            throw new ClusterException("the machine is ready, but its " + SettingChoice.text(accessMode) + " " + machine
                    + " got no address within " + Span.text(config.connectTimeout())
                    + " (outpost.k8s.connect-timeout). Allow it more time, or choose another outpost.k8s.endpoint.");
        }
    }
}
