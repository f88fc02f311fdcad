package dev.outpost.system.deploy;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import io.fabric8.kubernetes.api.model.Taint;
import java.util.List;
import java.util.Map;

/** Of resources that others define, the part that is used here, with what they require. */
final class CustomSchemas {
    private CustomSchemas() {}

    /** The {@code ServiceMonitor} of the Prometheus operator. */
    record ServiceMonitor(
            String apiVersion,
            String kind,
            ObjectMeta metadata,
            @JsonProperty(required = true) Spec spec) {
        record Spec(
                @JsonProperty(required = true) LabelSelector selector,
                @JsonProperty(required = true) List<Endpoint> endpoints,
                List<String> targetLabels) {}

        record Endpoint(
                String port,
                String path,
                String scheme,
                String interval,
                Authorization authorization,
                TlsConfig tlsConfig) {}

        record Authorization(@JsonProperty(required = true) SecretKeySelector credentials) {}

        record TlsConfig(boolean insecureSkipVerify) {}
    }

    /** The {@code PodMonitor} of the Prometheus operator. */
    record PodMonitor(
            String apiVersion,
            String kind,
            ObjectMeta metadata,
            @JsonProperty(required = true) Spec spec) {
        record Spec(
                @JsonProperty(required = true) LabelSelector selector,
                @JsonProperty(required = true) List<Endpoint> podMetricsEndpoints) {}

        record Endpoint(String port, String path, String scheme, String interval, TlsConfig tlsConfig) {}

        record TlsConfig(Authority ca, String serverName) {}

        record Authority(SecretKeySelector secret) {}
    }

    /** The {@code PrometheusRule} of the Prometheus operator. */
    record PrometheusRule(
            String apiVersion,
            String kind,
            ObjectMeta metadata,
            @JsonProperty(required = true) Spec spec) {
        record Spec(@JsonProperty(required = true) List<Group> groups) {}

        record Group(
                @JsonProperty(required = true) String name,
                @JsonProperty(required = true) List<Rule> rules) {}

        record Rule(
                @JsonProperty(required = true) String alert,
                @JsonProperty(required = true) String expr,
                @JsonProperty("for") String pending,
                Map<String, String> labels,
                Map<String, String> annotations) {}
    }

    /** Of Kueue: without a specification it is about any node. */
    record ResourceFlavor(String apiVersion, String kind, ObjectMeta metadata) {}

    /** Of Kueue. */
    record ClusterQueue(
            String apiVersion,
            String kind,
            ObjectMeta metadata,
            @JsonProperty(required = true) Spec spec) {
        record Spec(
                LabelSelector namespaceSelector,
                String queueingStrategy,
                List<ResourceGroup> resourceGroups,
                Preemption preemption) {}

        record ResourceGroup(
                @JsonProperty(required = true) List<String> coveredResources,
                @JsonProperty(required = true) List<FlavorQuotas> flavors) {}

        record FlavorQuotas(
                @JsonProperty(required = true) String name,
                @JsonProperty(required = true) List<Quota> resources) {}

        record Quota(
                @JsonProperty(required = true) String name,
                @JsonProperty(required = true) Quantity nominalQuota) {}

        record Preemption(String withinClusterQueue, String reclaimWithinCohort) {}
    }

    /** Of Kueue. */
    record LocalQueue(
            String apiVersion,
            String kind,
            ObjectMeta metadata,
            @JsonProperty(required = true) Spec spec) {
        record Spec(@JsonProperty(required = true) String clusterQueue) {}
    }

    /** Of the Gateway API: {@code v1} from 1.5 on, and {@code v1alpha2} up to 1.4, in which hostnames may be missing. */
    record TlsRoute(
            String apiVersion,
            String kind,
            ObjectMeta metadata,
            @JsonProperty(required = true) Spec spec) {
        record Spec(
                List<Parent> parentRefs,
                @JsonProperty(required = true) List<String> hostnames,
                @JsonProperty(required = true) List<Rule> rules) {}

        record Parent(@JsonProperty(required = true) String name, String namespace, String sectionName) {}

        record Rule(@JsonProperty(required = true) List<Backend> backendRefs) {}

        record Backend(@JsonProperty(required = true) String name, int port) {}
    }

    /** Of Karpenter. */
    record NodePool(
            String apiVersion,
            String kind,
            ObjectMeta metadata,
            @JsonProperty(required = true) Spec spec) {
        record Spec(
                @JsonProperty(required = true) Template template,
                Disruption disruption,
                Map<String, Quantity> limits) {}

        record Template(@JsonProperty(required = true) NodeSpec spec) {}

        record NodeSpec(
                @JsonProperty(required = true) NodeClass nodeClassRef,
                @JsonProperty(required = true) List<Requirement> requirements,
                List<Taint> taints,
                String expireAfter) {}

        record NodeClass(
                @JsonProperty(required = true) String group,
                @JsonProperty(required = true) String kind,
                @JsonProperty(required = true) String name) {}

        record Requirement(
                @JsonProperty(required = true) String key,
                @JsonProperty(required = true) String operator,
                List<String> values) {}

        record Disruption(
                String consolidationPolicy,
                @JsonProperty(required = true) String consolidateAfter) {}
    }

    /** Of Karpenter's provider for AWS. */
    record Ec2NodeClass(
            String apiVersion,
            String kind,
            ObjectMeta metadata,
            @JsonProperty(required = true) Spec spec) {
        record Spec(
                @JsonProperty(required = true) List<Ami> amiSelectorTerms,
                String role,
                @JsonProperty(required = true) List<Selector> subnetSelectorTerms,
                @JsonProperty(required = true) List<Selector> securityGroupSelectorTerms,
                List<BlockDevice> blockDeviceMappings,
                MetadataOptions metadataOptions) {}

        record Ami(String alias) {}

        record Selector(Map<String, String> tags) {}

        record BlockDevice(String deviceName, Ebs ebs) {}

        record Ebs(Quantity volumeSize, String volumeType, boolean encrypted) {}

        record MetadataOptions(String httpTokens, int httpPutResponseHopLimit) {}
    }
}
