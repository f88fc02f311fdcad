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
    /** The serialization, which all clients share. Its analysis of the classes of objects takes too long to repeat for each start. */
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private static final Executor VIRTUAL_THREADS = Thread::startVirtualThread;

    private final Function<KubernetesConfig, ClusterAccess> accesses;
    private final Consumer<KubernetesConfig> check;

    private Clients(Function<KubernetesConfig, ClusterAccess> accesses, Consumer<KubernetesConfig> check) {
        this.accesses = accesses;
        this.check = check;
    }

    /** Makes clients of the cluster of a kubeconfig, or of the cluster in which this program runs. */
    public static Clients ofKubeconfig() {
        Kubeconfig kubeconfig = new Kubeconfig(SERIALIZATION);
        return new Clients(kubeconfig::load, kubeconfig::check);
    }

    /** Makes clients of this API server, regardless of the current context. */
    public static Clients of(Config configuration) {
        return new Clients(
                settings -> ClusterAccess.of(new ConfigBuilder(configuration)
                        .withAutoConfigure(false)
                        .build()),
                settings -> {});
    }

    /**
     * Refuses a context that does not exist. Sends no request.
     *
     * @throws IllegalArgumentException if the context does not exist; the message names the existing contexts
     */
    public void check(KubernetesConfig settings) {
        check.accept(settings);
    }

    /**
     * Makes a new client, which the caller must close. The client does not retry by itself, because the code that
     * interprets a failure decides about retries.
     *
     * @throws IllegalArgumentException if the kubeconfig cannot be used; the message names file, entry and field
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if a program that fetches credentials fails
     */
    public KubernetesClient client(KubernetesConfig settings) {
        return client(settings, configuration -> {});
    }

    /**
     * Makes a client like {@link #client(KubernetesConfig)}.
     *
     * @param change changes the configuration before the client is made
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

    /** Returns the namespace of the machines in the client's cluster. */
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

    /** Returns true if this program runs in that cluster and reaches its pods. A pod has no kubeconfig. */
    private static boolean isAround(Config configuration) {
        return configuration.getContexts().isEmpty() && System.getenv("KUBERNETES_SERVICE_HOST") != null;
    }
}
