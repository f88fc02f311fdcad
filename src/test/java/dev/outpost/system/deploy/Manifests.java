package dev.outpost.system.deploy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads YAML as strictly as an API server that validates: what an object's schema does not know is refused. */
final class Manifests {
    private static final String CORE = "v1";
    private static final String RBAC = "rbac.authorization.k8s.io/v1";
    private static final String KUEUE = "kueue.x-k8s.io/v1beta2";

    private static final Map<String, Class<?>> SCHEMAS = Map.ofEntries(
            Map.entry(CORE + " Namespace", Namespace.class),
            Map.entry(CORE + " ServiceAccount", ServiceAccount.class),
            Map.entry(CORE + " ConfigMap", ConfigMap.class),
            Map.entry(CORE + " Service", Service.class),
            Map.entry("apps/v1 Deployment", Deployment.class),
            Map.entry("policy/v1 PodDisruptionBudget", PodDisruptionBudget.class),
            Map.entry(CORE + " ResourceQuota", ResourceQuota.class),
            Map.entry(CORE + " LimitRange", LimitRange.class),
            Map.entry(RBAC + " Role", Role.class),
            Map.entry(RBAC + " RoleBinding", RoleBinding.class),
            Map.entry(RBAC + " ClusterRole", ClusterRole.class),
            Map.entry(RBAC + " ClusterRoleBinding", ClusterRoleBinding.class),
            Map.entry("networking.k8s.io/v1 NetworkPolicy", NetworkPolicy.class),
            Map.entry("monitoring.coreos.com/v1 ServiceMonitor", CustomSchemas.ServiceMonitor.class),
            Map.entry("monitoring.coreos.com/v1 PodMonitor", CustomSchemas.PodMonitor.class),
            Map.entry("monitoring.coreos.com/v1 PrometheusRule", CustomSchemas.PrometheusRule.class),
            Map.entry(KUEUE + " ResourceFlavor", CustomSchemas.ResourceFlavor.class),
            Map.entry(KUEUE + " ClusterQueue", CustomSchemas.ClusterQueue.class),
            Map.entry(KUEUE + " LocalQueue", CustomSchemas.LocalQueue.class),
            Map.entry("gateway.networking.k8s.io/v1 TLSRoute", CustomSchemas.TlsRoute.class),
            Map.entry("gateway.networking.k8s.io/v1alpha2 TLSRoute", CustomSchemas.TlsRoute.class),
            Map.entry("karpenter.sh/v1 NodePool", CustomSchemas.NodePool.class),
            Map.entry("karpenter.k8s.aws/v1 EC2NodeClass", CustomSchemas.Ec2NodeClass.class),
            Map.entry("kustomize.config.k8s.io/v1beta1 Kustomization", Kustomization.class),
            Map.entry("kustomize.config.k8s.io/v1alpha1 Component", Kustomization.class));

    private static final ObjectMapper MAPPER = new ObjectMapper(YAMLFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .setAnnotationIntrospector(new WithoutCatchAll());

    /** The models put what they do not know into a map of additional properties; here it is an error. */
    private static final class WithoutCatchAll extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public Boolean hasAnySetter(Annotated member) {
            return false;
        }
    }

    private Manifests() {}

    /** The documents of a file, as they are written. */
    static List<JsonNode> read(Path file) {
        return parse(DeployFolder.read(file));
    }

    /** The documents of a text, or the elements of its only list. */
    static List<JsonNode> parse(String yaml) {
        try (MappingIterator<JsonNode> documents =
                MAPPER.readerFor(JsonNode.class).readValues(yaml)) {
            return documents.readAll();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Returns a document in the form of its kind's schema.
     *
     * @throws AssertionError if the schema does not exist, or the document does not follow it
     */
    static Object model(JsonNode document) {
        String type = document.path("apiVersion").asText() + " "
                + document.path("kind").asText();
        Class<?> schema = SCHEMAS.get(type);
        if (schema == null) {
            throw new AssertionError("no schema for " + type);
        }
        return model(document, schema);
    }

    /** Part of a document as its schema has it. */
    static <T> T model(JsonNode part, Class<T> schema) {
        try {
            return MAPPER.treeToValue(part, schema);
        } catch (JsonProcessingException failure) {
            throw new AssertionError(schema.getSimpleName() + ": " + failure.getMessage(), failure);
        }
    }

    /** The only object of a type in some documents. */
    static <T> T only(Class<T> type, List<JsonNode> documents) {
        List<T> found = all(type, documents);
        if (found.size() != 1) {
            throw new AssertionError("expected one " + type.getSimpleName() + ", there are " + found.size());
        }
        return found.getFirst();
    }

    static <T> List<T> all(Class<T> type, List<JsonNode> documents) {
        return documents.stream()
                .map(Manifests::model)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    /** Such as {@code NetworkPolicy outpost/outpost-machine}. */
    static String name(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        String namespace =
                metadata.has("namespace") ? metadata.path("namespace").asText() + "/" : "";
        return object.path("kind").asText() + " " + namespace
                + metadata.path("name").asText();
    }
}
