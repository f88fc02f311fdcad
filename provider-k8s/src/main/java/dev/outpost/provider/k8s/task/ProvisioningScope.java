package dev.outpost.provider.k8s.task;

import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.support.ExitHook;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * One attempt at a machine, with a client of its own. What it holds is given back when it fails; when it does not, by
 * whoever got its result; and in any case at the end of the JVM.
 */
public final class ProvisioningScope {
    private final KubernetesConfig config;
    private final StartContext effort;
    private final Cluster cluster;
    private final ShutdownRegistry holdings;

    private ProvisioningScope(
            KubernetesConfig config, StartContext effort, Cluster cluster, ShutdownRegistry holdings) {
        this.config = config;
        this.effort = effort;
        this.cluster = cluster;
        this.holdings = holdings;
    }

    public static <T> T run(KubernetesConfig config, StartContext effort, Function<ProvisioningScope, T> work) {
        ShutdownRegistry holdings = new ShutdownRegistry();
        CountDownLatch settled = new CountDownLatch(1);
        ExitHook hook = ExitHook.of("outpost-exit", () -> exit(effort, settled, holdings));
        holdings.add(hook::cancel);
        try {
            Cluster cluster = effort.surroundings().clients().open(config);
            holdings.add(cluster::close);
            return work.apply(new ProvisioningScope(config, effort, cluster, holdings));
        } catch (RuntimeException | Error failure) {
            holdings.close();
            throw failure;
        } finally {
            settled.countDown();
        }
    }

    public Cluster cluster() {
        return cluster;
    }

    public KubernetesConfig config() {
        return config;
    }

    public StartContext effort() {
        return effort;
    }

    public ShutdownRegistry holdings() {
        return holdings;
    }

    /** An object that is still being made is not deleted before it is there: it would come afterwards. */
    private static void exit(StartContext effort, CountDownLatch settled, ShutdownRegistry holdings) {
        effort.demand().withdraw();
        try {
            settled.await(effort.surroundings().pace().removal().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        holdings.close();
    }
}
