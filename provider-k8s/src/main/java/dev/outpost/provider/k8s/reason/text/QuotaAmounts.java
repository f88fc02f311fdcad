package dev.outpost.provider.k8s.reason.text;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** Amounts by resource, in the form of quota messages: {@code requests.cpu=2,requests.memory=8Gi}. */
public record QuotaAmounts(Map<String, BigDecimal> byResource) {

    public static QuotaAmounts parse(String text) {
        return new QuotaAmounts(Arrays.stream(text.split(","))
                .map(entry -> entry.strip().split("=", 2))
                .filter(entry -> entry.length == 2)
                .collect(Collectors.toMap(entry -> entry[0], entry -> amount(entry[1]), BigDecimal::max)));
    }

    /** Returns true if all wanted amounts would fit into an otherwise unused quota. */
    public boolean canHold(QuotaAmounts wanted) {
        return wanted.byResource.entrySet().stream()
                .allMatch(entry ->
                        entry.getValue().compareTo(byResource.getOrDefault(entry.getKey(), entry.getValue())) <= 0);
    }

    private static BigDecimal amount(String text) {
        return Quantity.parse(text).getNumericalAmount();
    }
}
