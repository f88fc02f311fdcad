package dev.outpost.provider.k8s.cluster;

import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.reason.ApiReasons;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The kubeconfig of this host, or in its place what a cluster tells its pods. */
public final class Kubeconfig {
    private final KubernetesSerialization serialization;

    public Kubeconfig(KubernetesSerialization serialization) {
        this.serialization = serialization;
    }

    /** The cluster of the context that is set, and credentials for it. May run programs that fetch them. */
    public Config load(KubernetesConfig settings) {
        String context = settings.context().orElse("");
        Config loaded = Config.autoConfigure(context.isEmpty() ? null : context);
        require(context, loaded);
        return loaded;
    }

    /** Refuses a context that does not exist; runs nothing. */
    public void check(KubernetesConfig settings) {
        settings.context().ifPresent(context -> {
            Config known = Config.empty();
            known.setContexts(contexts());
            require(context, known);
        });
    }

    /** The library takes another context in the place of one that does not exist. */
    private static void require(String context, Config configuration) {
        ApiReasons.missingContext(context, configuration).ifPresent(problem -> {
            throw new IllegalArgumentException("outpost.k8s.context: " + problem.sentence());
        });
    }

    private List<NamedContext> contexts() {
        return Config.getKubeconfigFilenames().stream()
                .map(Path::of)
                .filter(Files::isRegularFile)
                .flatMap(this::contexts)
                .toList();
    }

    private Stream<NamedContext> contexts(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            var content = serialization.unmarshal(in, io.fabric8.kubernetes.api.model.Config.class);
            return content == null ? Stream.empty() : content.getContexts().stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException("kubeconfig: " + file + " cannot be read", unreadable);
        }
    }
}
