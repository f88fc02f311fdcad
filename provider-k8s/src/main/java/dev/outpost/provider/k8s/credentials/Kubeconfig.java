package dev.outpost.provider.k8s.credentials;

import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.credentials.ExecPlugin.Credential;
import dev.outpost.provider.k8s.reason.ApiReasons;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.ExecConfig;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Utils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;

/**
 * The kubeconfig of this host, or, in a pod, the configuration that the cluster provides for pods. A kubeconfig may consist of several
 * files, listed in {@code KUBECONFIG}. If several entries have the same name, the first entry is used.
 */
public final class Kubeconfig {
    private final KubernetesSerialization serialization;

    /**
     * One file of the kubeconfig.
     *
     * @param content the content, as the library reads it
     */
    private record Part(Path file, io.fabric8.kubernetes.api.model.Config content) {}

    /**
     * An entry and the file that contains it.
     *
     * @param label such as {@code kubeconfig /home/ada/.kube/config: user ada}
     */
    private record Entry<T>(Path file, String label, T content) {
        String field(String name) {
            return label + ": " + name;
        }

        Path resolve(String path) {
            return file.toAbsolutePath().resolveSibling(path).normalize();
        }
    }

    public Kubeconfig(KubernetesSerialization serialization) {
        this.serialization = serialization;
    }

    /**
     * Loads the cluster of the selected context, and credentials for it. May run a program that prints the credentials.
     *
     * @throws IllegalArgumentException if an entry is missing or cannot be read; the message names file, entry and field
     * @throws KubernetesClientException if the program fails; the message names it
     */
    public ClusterAccess load(KubernetesConfig settings) {
        String context = settings.context().orElse("");
        List<Part> parts = parts();
        if (parts.isEmpty()) {
            Config loaded = Config.autoConfigure(context.isEmpty() ? null : context);
            requireCluster(loaded);
            require(context, loaded);
            return ClusterAccess.of(loaded);
        }
        return load(context, parts);
    }

    private ClusterAccess load(String wanted, List<Part> parts) {
        Config known = Config.empty();
        known.setContexts(contexts(parts));
        if (!wanted.isEmpty()) {
            require(wanted, known);
        }
        Optional<Entry<Context>> context = context(wanted, parts);
        Optional<Entry<Cluster>> cluster = context.map(chosen -> cluster(chosen, parts));
        Optional<Entry<AuthInfo>> user = context.flatMap(chosen -> user(chosen, parts));
        Optional<ExecConfig> exec = user.map(entry -> entry.content().getExec());
        Optional<TokenSource> file = user.flatMap(Kubeconfig::tokenFile);
        Config config = merged(wanted, parts);
        require(wanted, config);
        cluster.ifPresent(Kubeconfig::requireAuthority);
        if (exec.isPresent() && file.isEmpty() && user.get().content().getToken() == null) {
            return fetched(config, user.get(), exec.get(), cluster);
        }
        // Otherwise the library reads a token again from the files when it is refused.
        config.setAutoConfigure(file.isEmpty());
        return access(config, user.flatMap(Kubeconfig::certificate), file);
    }

    /**
     * Merges the files as the client library does, but without running programs, because the library does not report their failures.
     */
    private Config merged(String wanted, List<Part> parts) {
        Config config = Config.empty();
        List<io.fabric8.kubernetes.api.model.Config> contents = new ArrayList<>();
        for (Part part : parts) {
            for (NamedAuthInfo user : orEmpty(part.content().getUsers())) {
                if (user.getUser() != null) {
                    user.getUser().setExec(null);
                }
            }
            contents.add(part.content());
        }
        KubeConfigUtils.merge(
                config,
                wanted.isEmpty() ? null : wanted,
                contents.toArray(io.fabric8.kubernetes.api.model.Config[]::new));
        Config.configFromSysPropsOrEnvVars(config);
        return config;
    }

    /** Fails without any configuration. The library would use a name that only pods can resolve. */
    private static void requireCluster(Config loaded) {
        if (loaded.getMasterUrl().startsWith(Config.DEFAULT_MASTER_URL)
                && System.getenv("KUBERNETES_SERVICE_HOST") == null) {
            throw new IllegalArgumentException("kubeconfig: there is none, so no cluster is known: no "
                    + String.join(" and no ", Config.getKubeconfigFilenames())
                    + " that is a file and not empty, and this is no pod; set KUBECONFIG to the file of your cluster,"
                    + " or take a provider that needs no cluster, such as process");
        }
    }

    /** Refuses a context that does not exist, without running a program. */
    public void check(KubernetesConfig settings) {
        settings.context().ifPresent(context -> {
            Config known = Config.empty();
            known.setContexts(contexts(parts()));
            require(context, known);
        });
    }

    /** Fails if a context does not exist. The library would silently use another context. */
    private static void require(String context, Config configuration) {
        ApiReasons.missingContext(context, configuration).ifPresent(problem -> {
            throw new IllegalArgumentException("outpost.k8s.context: " + problem.sentence());
        });
    }

    // ---- files and entries

    private List<Part> parts() {
        if (!Utils.getSystemPropertyOrEnvVar(Config.KUBERNETES_AUTH_TRYKUBECONFIG_SYSTEM_PROPERTY, true)) {
            return List.of();
        }
        return Config.getKubeconfigFilenames().stream()
                .filter(name -> !name.isBlank())
                .map(Path::of)
                .filter(Files::isRegularFile)
                .map(Kubeconfig::part)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Parses a file; empty for an empty file. */
    private static Optional<Part> part(Path file) {
        try {
            if (Files.size(file) == 0) {
                return Optional.empty();
            }
            return Optional.of(new Part(file, KubeConfigUtils.parseConfig(file.toFile())));
        } catch (RuntimeException | IOException failure) {
            // The library passes on any exception of its YAML parser.
            throw new IllegalArgumentException("kubeconfig: " + file + " cannot be read: " + root(failure), failure);
        }
    }

    private static String root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage() == null ? root.toString() : root.getMessage();
        return message.lines().findFirst().orElse("");
    }

    private static List<NamedContext> contexts(List<Part> parts) {
        return parts.stream()
                .flatMap(part -> orEmpty(part.content().getContexts()).stream())
                .toList();
    }

    private static Optional<Entry<Context>> context(String wanted, List<Part> parts) {
        Optional<String> name = wanted.isEmpty()
                ? parts.stream()
                        .map(part -> part.content().getCurrentContext())
                        .filter(current -> current != null && !current.isBlank())
                        .findFirst()
                : Optional.of(wanted);
        return name.flatMap(chosen -> find(
                parts,
                "context " + chosen,
                content -> named(content.getContexts(), NamedContext::getName, chosen)
                        .map(NamedContext::getContext)));
    }

    private static Entry<Cluster> cluster(Entry<Context> context, List<Part> parts) {
        String name = String.valueOf(context.content().getCluster());
        return find(
                        parts,
                        "cluster " + name,
                        content -> named(content.getClusters(), NamedCluster::getName, name)
                                .map(NamedCluster::getCluster))
                .orElseThrow(() -> missing(context, "cluster", name));
    }

    /** Returns the user of a context. A context may have none. */
    private static Optional<Entry<AuthInfo>> user(Entry<Context> context, List<Part> parts) {
        return Optional.ofNullable(context.content().getUser())
                .filter(name -> !name.isBlank())
                .map(name -> find(
                                parts,
                                "user " + name,
                                content -> named(content.getUsers(), NamedAuthInfo::getName, name)
                                        .map(NamedAuthInfo::getUser))
                        .orElseThrow(() -> missing(context, "user", name)));
    }

    private static IllegalArgumentException missing(Entry<Context> context, String kind, String name) {
        return new IllegalArgumentException(context.field(kind) + ": no kubeconfig has a " + kind + " called " + name
                + "; add it, or correct the name");
    }

    private static <T> Stream<T> named(List<T> entries, Function<T, String> nameOf, String name) {
        return orEmpty(entries).stream().filter(entry -> name.equals(nameOf.apply(entry)));
    }

    private static <T> Optional<Entry<T>> find(
            List<Part> parts, String entry, Function<io.fabric8.kubernetes.api.model.Config, Stream<T>> search) {
        return parts.stream()
                .flatMap(part -> search.apply(part.content())
                        .filter(Objects::nonNull)
                        .map(found -> new Entry<>(part.file(), "kubeconfig " + part.file() + ": " + entry, found)))
                .findFirst();
    }

    private static <T> List<T> orEmpty(List<T> list) {
        return list == null ? List.of() : list;
    }

    // ---- credentials

    private static Optional<TokenSource> tokenFile(Entry<AuthInfo> user) {
        return Optional.ofNullable(user.content().getTokenFile())
                .filter(file -> !file.isBlank())
                .map(file -> new TokenFile(user.resolve(file), user.field("tokenFile")));
    }

    private static Optional<KeyManager[]> certificate(Entry<AuthInfo> user) {
        AuthInfo info = user.content();
        Optional<PemField> certificate =
                pem(user, "client-certificate", info.getClientCertificateData(), info.getClientCertificate());
        Optional<PemField> key = pem(user, "client-key", info.getClientKeyData(), info.getClientKey());
        if (certificate.isPresent() != key.isPresent()) {
            throw new IllegalArgumentException(user.field(certificate.isPresent() ? "client-key" : "client-certificate")
                    + ": it is missing; a certificate and its key belong together");
        }
        return certificate.map(field -> ClientCertificate.keyManagers(field, key.get()));
    }

    private static void requireAuthority(Entry<Cluster> cluster) {
        pem(
                        cluster,
                        "certificate-authority",
                        cluster.content().getCertificateAuthorityData(),
                        cluster.content().getCertificateAuthority())
                .ifPresent(ClientCertificate::certificates);
    }

    /** Reads PEM from data, or else from a file. Kubectl has the same order. */
    private static Optional<PemField> pem(Entry<?> entry, String field, String data, String file) {
        if (data != null && !data.isBlank()) {
            return Optional.of(PemField.ofData(entry.field(field + "-data"), data));
        }
        return file == null || file.isBlank()
                ? Optional.empty()
                : Optional.of(PemField.ofFile(entry.field(field), entry.resolve(file)));
    }

    private ClusterAccess fetched(
            Config config, Entry<AuthInfo> user, ExecConfig exec, Optional<Entry<Cluster>> cluster) {
        Map<String, Object> info = cluster.map(Kubeconfig::info).orElse(Map.of());
        Path folder = user.file().toAbsolutePath().getParent();
        ExecPlugin plugin = new ExecPlugin(exec, folder, user.field("exec"), info, serialization);
        Credential first = plugin.run();
        Optional<KeyManager[]> keys = first.certificate()
                .flatMap(certificate -> first.key()
                        .map(key -> ClientCertificate.keyManagers(
                                PemField.ofData(user.field("exec: clientCertificateData"), certificate),
                                PemField.ofData(user.field("exec: clientKeyData"), key))));
        Optional<TokenSource> tokens =
                first.token().map(token -> new ExecToken(plugin::run, first, InstantSource.system(), System::nanoTime));
        return access(config, keys.isPresent() ? keys : certificate(user), tokens);
    }

    /** Returns the information about the cluster for a plugin, by the names of Kubernetes' API. */
    private static Map<String, Object> info(Entry<Cluster> cluster) {
        Cluster content = cluster.content();
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("server", content.getServer());
        Optional.ofNullable(content.getTlsServerName()).ifPresent(name -> info.put("tls-server-name", name));
        Optional.ofNullable(content.getInsecureSkipTlsVerify())
                .ifPresent(skip -> info.put("insecure-skip-tls-verify", skip));
        Optional.ofNullable(content.getCertificateAuthorityData())
                .ifPresent(data -> info.put("certificate-authority-data", data));
        Optional.ofNullable(content.getProxyUrl()).ifPresent(url -> info.put("proxy-url", url));
        return info;
    }

    /** Removes the key from the configuration. The library would read it again, and fail on some kinds. */
    private static ClusterAccess access(Config config, Optional<KeyManager[]> keys, Optional<TokenSource> tokens) {
        if (keys.isPresent()) {
            config.setClientCertData(null);
            config.setClientCertFile(null);
            config.setClientKeyData(null);
            config.setClientKeyFile(null);
        }
        return new ClusterAccess(config, keys, tokens);
    }
}
