package dev.outpost.provider.k8s.cluster;

import dev.outpost.provider.k8s.desired.MachineLabels;
import dev.outpost.provider.k8s.reach.MachineRoutes;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.URLUtils;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The calls to an API server about the machines of one namespace. Each call waits for the answer. */
public final class Cluster implements AutoCloseable {
    private static final String FIELD_MANAGER = "outpost";

    private static final PatchContext MERGE = new PatchContext.Builder()
            .withPatchType(PatchType.JSON_MERGE)
            .withFieldManager(FIELD_MANAGER)
            .build();

    private final KubernetesClient client;
    private final String namespace;
    private final boolean around;

    /** @param around true if this program runs in the cluster */
    public Cluster(KubernetesClient client, String namespace, boolean around) {
        this.client = client;
        this.namespace = namespace;
        this.around = around;
    }

    /** Returns the namespace and the server, for a sentence. */
    public String name() {
        return "namespace " + namespace + " at " + client.getMasterUrl();
    }

    public String namespace() {
        return namespace;
    }

    public boolean isAround() {
        return around;
    }

    public MachineRoutes reach() {
        return new MachineRoutes(client, namespace);
    }

    // ---- one machine

    /**
     * Makes an object unless it exists. Can be repeated. It preserves changes that others have made meanwhile, such as Kueue's start of a
     * Job.
     */
    public <T extends HasMetadata> T apply(Class<T> type, T object) {
        return unlessThere(
                type,
                object,
                () -> client.resource(object)
                        .inNamespace(namespace)
                        .fieldManager(FIELD_MANAGER)
                        .serverSideApply());
    }

    /**
     * Makes an object unless it exists. Does not change an existing one. If several clients make it at the same time, all get the same
     * object.
     */
    public <T extends HasMetadata> T make(Class<T> type, T object) {
        return unlessThere(
                type,
                object,
                () -> client.resource(object).inNamespace(namespace).create());
    }

    private <T extends HasMetadata> T unlessThere(Class<T> type, T object, Supplier<T> making) {
        try {
            return making.get();
        } catch (KubernetesClientException failure) {
            if (failure.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return get(type, object.getMetadata().getName()).orElseThrow(() -> failure);
            }
            throw failure;
        }
    }

    /**
     * Applies a JSON merge patch.
     *
     * @param known the object, perhaps in an old version; only its name is used
     * @return the changed object; empty if it no longer exists
     */
    public <T extends HasMetadata> Optional<T> patch(T known, String patch) {
        return patch(known, patch, Set.of(HttpURLConnection.HTTP_NOT_FOUND));
    }

    private <T extends HasMetadata> Optional<T> patch(T known, String patch, Set<Integer> refusals) {
        // Without the object, the client would read it first.
        return CompleteList.unlessRefused(
                refusals, () -> client.resource(known).inNamespace(namespace).patch(MERGE, patch));
    }

    /**
     * Applies a patch like {@link #patch}, if the object still has the version of the last read.
     *
     * @param patch the patch, with the resource version of the last read
     * @return empty if the object has another version or no longer exists
     */
    public <T extends HasMetadata> Optional<T> patchSeen(T seen, String patch) {
        return patch(seen, patch, Set.of(HttpURLConnection.HTTP_NOT_FOUND, HttpURLConnection.HTTP_CONFLICT));
    }

    /** Watches the machine's Job, or its pods. */
    public <T extends HasMetadata> ObjectWatcher<T> feed(Class<T> type, String machine, Runnable news) {
        return feed(type, MachineLabels.of(machine), news);
    }

    /** Watches the objects with these labels. */
    public <T extends HasMetadata> ObjectWatcher<T> feed(Class<T> type, Map<String, String> labels, Runnable news) {
        return new ObjectWatcher<>(selection(type, labels), news);
    }

    public Optional<Job> job(String machine) {
        return get(Job.class, machine);
    }

    /** Returns true if an object of this kind belongs to the machine. */
    public <T extends HasMetadata> boolean hasOne(Class<T> type, String machine) {
        return !CompleteList.of(selection(type, MachineLabels.of(machine)))
                .getItems()
                .isEmpty();
    }

    /** Returns the newest pod of the machine. */
    public Optional<Pod> pod(String machine) {
        ObjectCache<Pod> pods = new ObjectCache<>();
        pods.list(
                CompleteList.of(selection(Pod.class, MachineLabels.of(machine))).getItems());
        return pods.newest();
    }

    public Optional<Secret> secret(String machine) {
        return get(Secret.class, machine);
    }

    public Optional<Service> service(String machine) {
        return get(Service.class, machine);
    }

    /** Deletes the machine's Job. The cluster then deletes the objects that the Job owns. */
    public void delete(String machine) {
        delete(Job.class, machine);
    }

    // ---- reasons why a machine does not run

    public List<Event> events(HasMetadata object) {
        return client.v1()
                .events()
                .inNamespace(namespace)
                .withField("involvedObject.name", object.getMetadata().getName())
                .list()
                .getItems();
    }

    /** Returns all nodes. Many users have no permission to read them. */
    public List<Node> nodes() {
        return CompleteList.of(client.nodes()).getItems();
    }

    public Kueue kueue() {
        return new Kueue(client, namespace);
    }

    public Devices devices() {
        return new Devices(client, namespace);
    }

    public LogStream logs() {
        return new LogStream(client, namespace);
    }

    // ---- all machines

    public <T extends HasMetadata> List<T> all(Class<T> type) {
        return all(type, MachineLabels.ofAll());
    }

    public <T extends HasMetadata> List<T> all(Class<T> type, Map<String, String> labels) {
        return CompleteList.of(selection(type, labels)).getItems();
    }

    public <T extends HasMetadata> void delete(Class<T> type, String name) {
        client.resources(type)
                .inNamespace(namespace)
                .withName(name)
                .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                .delete();
    }

    // ---- the server

    /**
     * Returns the time by the API server's clock, to the second. The clock of this host may be wrong. Empty if the
     * server does not send it.
     */
    public Optional<Instant> time() {
        HttpClient http = client.getHttpClient();
        URI version = URI.create(URLUtils.join(client.getMasterUrl().toString(), "version"));
        try {
            return Optional.ofNullable(http.sendAsync(
                                    http.newHttpRequestBuilder().uri(version).build(), String.class)
                            .orTimeout(client.getConfiguration().getRequestTimeout(), TimeUnit.MILLISECONDS)
                            .join()
                            .header("Date"))
                    .map(date -> Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date)));
        } catch (CompletionException failure) {
            throw KubernetesClientException.launderThrowable(failure.getCause());
        } catch (DateTimeException ignored) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        client.close();
    }

    private <T extends HasMetadata> Optional<T> get(Class<T> type, String name) {
        T found = client.resources(type).inNamespace(namespace).withName(name).get();
        if (found != null
                && (found.getMetadata() == null
                        || !name.equals(found.getMetadata().getName()))) {
            throw CompleteList.unexpected("an object came without its name");
        }
        return Optional.ofNullable(found);
    }

    private <T extends HasMetadata> FilterWatchListDeletable<T, KubernetesResourceList<T>, Resource<T>> selection(
            Class<T> type, Map<String, String> labels) {
        return client.resources(type).inNamespace(namespace).withLabels(labels);
    }
}
