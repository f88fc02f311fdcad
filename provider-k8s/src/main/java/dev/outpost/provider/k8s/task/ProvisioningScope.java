package dev.outpost.provider.k8s.task;

import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.support.ExitHook;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * One attempt to start a machine, with a separate client. A failed attempt releases its resources. After a success,
 * the owner of the result releases them. At the end of the JVM they are always released.
 */
public final class ProvisioningScope {
    private final KubernetesConfig config;
    private final StartContext context;
    private final Cluster cluster;
    private final ShutdownRegistry shutdown;

    private ProvisioningScope(
            KubernetesConfig config, StartContext context, Cluster cluster, ShutdownRegistry shutdown) {
        this.config = config;
        this.context = context;
        this.cluster = cluster;
        this.shutdown = shutdown;
    }

    public static <T> T run(KubernetesConfig config, StartContext context, Function<ProvisioningScope, T> work) {
        ShutdownRegistry shutdown = new ShutdownRegistry();
        CountDownLatch settled = new CountDownLatch(1);
        ExitHook hook = ExitHook.of("outpost-exit", () -> exit(context, settled, shutdown));
        shutdown.add(hook::cancel);
        try {
            Cluster cluster = context.context().clients().open(config);
            shutdown.add(cluster::close);
            return work.apply(new ProvisioningScope(config, context, cluster, shutdown));
        } catch (RuntimeException | Error failure) {
            shutdown.close();
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

    public StartContext context() {
        return context;
    }

    public ShutdownRegistry shutdown() {
        return shutdown;
    }

    /**
     * Cleans up at the end of the JVM. Waits for objects that are being made, because they could otherwise appear after the deletion.
     */
    private static void exit(StartContext context, CountDownLatch settled, ShutdownRegistry shutdown) {
        context.deadline().withdraw();
        try {
            settled.await(context.context().polling().removal().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        shutdown.close();
    }
}
