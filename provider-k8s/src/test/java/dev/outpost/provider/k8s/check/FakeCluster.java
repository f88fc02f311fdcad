package dev.outpost.provider.k8s.check;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesListBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributes;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.http.Dispatcher;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** An API server with prepared answers and refusals. */
final class FakeCluster extends Dispatcher implements AutoCloseable {
    private static final String REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private final MockWebServer server = new MockWebServer();
    private final Map<String, MockResponse> answers = new ConcurrentHashMap<>();
    private final Set<String> denied = ConcurrentHashMap.newKeySet();

    FakeCluster() {
        answer("/version", 200, Map.of("major", "1", "minor", "33", "gitVersion", "v1.33.1"));
        server.setDispatcher(this);
        server.start();
    }

    /** A path without its query; a method other than GET goes before it, as in {@code POST /api/v1/secrets}. */
    void answer(String path, int code, Object body) {
        String text = body instanceof String raw ? raw : SERIALIZATION.asJson(body);
        answers.put(
                path,
                new MockResponse().setResponseCode(code).setBody(text).addHeader("Content-Type", "application/json"));
    }

    void objects(String path, HasMetadata... objects) {
        answer(
                path,
                200,
                new KubernetesListBuilder()
                        .withNewMetadata()
                        .withResourceVersion("1")
                        .endMetadata()
                        .addToItems(objects)
                        .build());
    }

    /** Refuses requests as the API server does if RBAC forbids them. */
    void forbid(String path, String verb, String resource) {
        String message = resource + " is forbidden: User \"ada\" cannot " + verb + " resource \"" + resource
                + "\" in API group \"\" at the cluster scope";
        answer(path, 403, status(403, "Forbidden", message).build());
    }

    static StatusBuilder status(int code, String reason, String message) {
        return new StatusBuilder()
                .withStatus("Failure")
                .withCode(code)
                .withReason(reason)
                .withMessage(message);
    }

    /** Denies permissions such as {@code watch pods} or {@code get pods/log}. */
    void deny(String... permissions) {
        denied.addAll(List.of(permissions));
    }

    KubernetesClient client() {
        Config configuration = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://" + server.getHostName() + ":" + server.getPort())
                .withRequestRetryBackoffLimit(0)
                .build();
        return new KubernetesClientBuilder().withConfig(configuration).build();
    }

    String url() {
        return "http://" + server.getHostName() + ":" + server.getPort() + "/";
    }

    /** Stops the server, so that nothing listens any more. */
    void stop() {
        server.shutdown();
    }

    @Override
    public MockResponse dispatch(RecordedRequest request) {
        String path = request.getPath().replaceFirst("\\?.*", "");
        if (path.equals(REVIEWS)) {
            return reviewed(request.getUtf8Body());
        }
        String key = request.getMethod().equals("GET") ? path : request.getMethod() + " " + path;
        return answers.getOrDefault(key, missing());
    }

    private MockResponse reviewed(String body) {
        if (answers.containsKey(REVIEWS)) {
            return answers.get(REVIEWS);
        }
        SelfSubjectAccessReview review = SERIALIZATION.unmarshal(body, SelfSubjectAccessReview.class);
        return json(
                201,
                new SelfSubjectAccessReviewBuilder(review)
                        .withNewStatus()
                        .withAllowed(
                                !denied.contains(permission(review.getSpec().getResourceAttributes())))
                        .endStatus()
                        .build());
    }

    private static String permission(ResourceAttributes attributes) {
        String resource = Stream.of(attributes.getResource(), attributes.getSubresource())
                .filter(part -> part != null && !part.isEmpty())
                .reduce((main, sub) -> main + "/" + sub)
                .orElseThrow();
        String group = attributes.getGroup().isEmpty() ? "" : "." + attributes.getGroup();
        String where = attributes.getNamespace() == null ? " everywhere" : "";
        return attributes.getVerb() + " " + resource + group + where;
    }

    private static MockResponse missing() {
        Status status = status(404, "NotFound", "the server could not find the requested resource")
                .build();
        return json(404, status);
    }

    private static MockResponse json(int code, Object body) {
        return new MockResponse()
                .setResponseCode(code)
                .setBody(SERIALIZATION.asJson(body))
                .addHeader("Content-Type", "application/json");
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
