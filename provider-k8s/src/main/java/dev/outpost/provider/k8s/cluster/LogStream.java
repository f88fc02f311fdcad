package dev.outpost.provider.k8s.cluster;

import dev.outpost.provider.k8s.desired.MachineLabels;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.URLUtils;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Reads the logs of machines. The client library's own method waits until pods are ready, and treats refusals as log lines. */
public final class LogStream {
    private static final String CONTAINER = "machine";

    private final KubernetesClient client;
    private final String namespace;

    public LogStream(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /**
     * Opens the log. Each line begins with its time and a space. Closing the stream from another thread ends a read.
     *
     * @param since the time of the first line, in whole seconds; empty for all lines
     * @param follow true to continue as long as the container runs
     */
    public InputStream open(Pod pod, Optional<Instant> since, boolean follow) {
        String from = since.map(time -> "&sinceTime=" + time.truncatedTo(ChronoUnit.SECONDS))
                .orElse("");
        HttpResponse<InputStream> response =
                send(pod, container(pod), "&timestamps=true&follow=" + follow + from, InputStream.class);
        if (!response.isSuccessful()) {
            throw new KubernetesClientException(refusal(response.code(), read(response.body())));
        }
        return response.body();
    }

    /** Returns the last lines. */
    public String tail(Pod pod, int lines) {
        return tail(pod, container(pod), lines);
    }

    /** Returns the last lines of a container of the pod. */
    public String tail(Pod pod, String container, int lines) {
        HttpResponse<String> response = send(pod, container, "&tailLines=" + lines, String.class);
        if (!response.isSuccessful()) {
            throw new KubernetesClientException(refusal(response.code(), response.body()));
        }
        return response.body();
    }

    private <T> HttpResponse<T> send(Pod pod, String container, String query, Class<T> type) {
        HttpClient http = client.getHttpClient();
        int timeout = client.getConfiguration().getRequestTimeout();
        try {
            return http.sendAsync(
                            http.newHttpRequestBuilder()
                                    .uri(uri(pod, container) + query)
                                    .build(),
                            type)
                    .orTimeout(timeout, TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException failure) {
            throw KubernetesClientException.launderThrowable(failure.getCause());
        }
    }

    private String uri(Pod pod, String container) {
        return URLUtils.join(
                client.getMasterUrl().toString(),
                "api/v1/namespaces",
                namespace,
                "pods",
                pod.getMetadata().getName(),
                "log?container=" + container);
    }

    private static String container(Pod pod) {
        return Optional.ofNullable(pod.getMetadata().getAnnotations())
                .map(annotations -> annotations.get(MachineLabels.CONTAINER))
                .orElse(CONTAINER);
    }

    private static String read(InputStream refusal) {
        try (refusal) {
            return new String(refusal.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw KubernetesClientException.launderThrowable(failure);
        }
    }

    private Status refusal(int code, String body) {
        Status status = body.startsWith("{")
                ? client.getKubernetesSerialization().unmarshal(body, Status.class)
                : new StatusBuilder().withMessage(body).build();
        status.setCode(code);
        return status;
    }
}
