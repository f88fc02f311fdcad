package dev.outpost.provider.k8s.cluster;

import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.k8s.credentials.ClusterAccess;
import dev.outpost.provider.k8s.credentials.Kubeconfig;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/** Makes clients of an API server. */
public final class Clients {
    /** Kept: it learns how each kind of object is written, which takes longer than a start may. */
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private static final Executor VIRTUAL_THREADS = Thread::startVirtualThread;

    private final Function<KubernetesConfig, ClusterAccess> accesses;
    private final Consumer<KubernetesConfig> check;

    private Clients(Function<KubernetesConfig, ClusterAccess> accesses, Consumer<KubernetesConfig> check) {
        this.accesses = accesses;
        this.check = check;
    }

    /** Of the cluster that a kubeconfig names, or of the one in which this program runs. */
    public static Clients ofKubeconfig() {
        Kubeconfig kubeconfig = new Kubeconfig(SERIALIZATION);
        return new Clients(kubeconfig::load, kubeconfig::check);
    }

    /** Of this API server, whatever context is set. */
    public static Clients of(Config configuration) {
        return new Clients(
                settings -> ClusterAccess.of(new ConfigBuilder(configuration)
                        .withAutoConfigure(false)
                        .build()),
                settings -> {});
    }

    /**
     * Refuses a context that does not exist. Asks nobody.
     *
     * @throws IllegalArgumentException when it refuses; the message names the contexts that there are
     */
    public void check(KubernetesConfig settings) {
        check.accept(settings);
    }

    /**
     * A new client, to be closed by whoever asked for it. It tries nothing twice by itself: that is decided where a
     * failure is understood.
     *
     * @throws IllegalArgumentException if the kubeconfig cannot be used; the message names file, entry and field
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if a program that fetches credentials fails
     */
    public KubernetesClient client(KubernetesConfig settings) {
        return client(settings, configuration -> {});
    }

    /**
     * As {@link #client(KubernetesConfig)}.
     *
     * @param change of the configuration before the client is made
     */
    public KubernetesClient client(KubernetesConfig settings, Consumer<Config> change) {
        ClusterAccess access = accesses.apply(settings);
        Config configuration = access.config();
        change.accept(configuration);
        configuration.setRequestRetryBackoffLimit(0);
        configuration.setWatchReconnectLimit(0);
        return new KubernetesClientBuilder()
                .withConfig(configuration)
                .withHttpClientBuilderConsumer(access::apply)
                .withKubernetesSerialization(SERIALIZATION)
                .withTaskExecutor(VIRTUAL_THREADS)
                .build();
    }

    /** The namespace of the machines, where that client leads. */
    public static String namespace(KubernetesConfig settings, KubernetesClient client) {
        Optional<String> ofContext = Optional.ofNullable(
                        client.getConfiguration().getCurrentContext())
                .map(NamedContext::getContext)
                .map(Context::getNamespace);
        return SettingsReader.namespace(settings, ofContext);
    }

    public Cluster open(KubernetesConfig settings) {
        KubernetesClient client = client(settings);
        return new Cluster(client, namespace(settings, client), isAround(client.getConfiguration()));
    }

    /** Whether this program runs in that cluster, and reaches its pods: then there is no kubeconfig. */
    private static boolean isAround(Config configuration) {
        return configuration.getContexts().isEmpty() && System.getenv("KUBERNETES_SERVICE_HOST") != null;
    }
}
