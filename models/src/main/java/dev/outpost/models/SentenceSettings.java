package dev.outpost.models;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.outpost.Tensor;
import dev.outpost.source.Source;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * The settings of an encoder from the files of sentence-transformers: {@code modules.json}, the pooling's {@code config.json}, and {@code
 * sentence_bert_config.json}. Without {@code modules.json} the pooling is the mean.
 *
 * @param encoder the files of the encoder and its tokenizer
 * @param poolings the poolings of the token vectors; the results of several are concatenated
 * @param isUnit true if vectors are normalized to length 1
 * @param maxTokens the maximum number of tokens of a text with its special tokens, from the files
 * @param isLowerCase true if texts are converted to lower case before tokenization
 */
record SentenceSettings(Source encoder, List<Pooling> poolings, boolean isUnit, int maxTokens, boolean isLowerCase) {
    private static final String MODULES = "modules.json";

    /** The names of the configuration file. Old versions of sentence-transformers had one for each kind of encoder. */
    private static final List<String> CONFIGS = List.of(
            "sentence_bert_config.json",
            "sentence_roberta_config.json",
            "sentence_distilbert_config.json",
            "sentence_camembert_config.json",
            "sentence_albert_config.json",
            "sentence_xlm-roberta_config.json",
            "sentence_xlnet_config.json");

    /** A reduction of the token vectors of a text to one vector. */
    enum Pooling {
        CLS("cls", "cls_token"),
        MAX("max", "max_tokens"),
        MEAN("mean", "mean_tokens"),
        MEAN_SQRT_LEN("mean_sqrt_len_tokens", "mean_sqrt_len_tokens"),
        WEIGHTED_MEAN("weightedmean", "weightedmean_tokens"),
        LAST("lasttoken", "lasttoken");

        private final String mode;
        /** The key of this pooling in older files. */
        private final String flag;

        Pooling(String mode, String flag) {
            this.mode = mode;
            this.flag = "pooling_mode_" + flag;
        }

        /**
         * Returns one vector for each text.
         *
         * @param hidden {@code [texts, tokens, features]}, float32
         * @param isToken {@code [texts, tokens, 1]}, bool; a text's tokens come first
         */
        Tensor of(Tensor hidden, Tensor isToken) {
            Tensor weights = isToken.to(DType.FLOAT32);
            return switch (this) {
                case CLS -> hidden.narrow(1, 0, 1).squeeze(1);
                case MAX ->
                    hidden.maskedFill(isToken.logicalNot(), Double.NEGATIVE_INFINITY)
                            .amax(1);
                case MEAN -> weighted(hidden, weights);
                case MEAN_SQRT_LEN ->
                    hidden.mul(weights).sum(1).div(weights.sum(1).clampMin(1e-9).sqrt());
                case WEIGHTED_MEAN -> weighted(hidden, weights.mul(weights.cumsum(1)));
                // The last token of a text is the one at which the running count of tokens equals the total.
                case LAST ->
                    weighted(
                            hidden,
                            weights.mul(
                                    weights.cumsum(1).eq(weights.sum(1, true)).to(DType.FLOAT32)));
            };
        }

        private static Tensor weighted(Tensor hidden, Tensor weights) {
            return hidden.mul(weights).sum(1).div(weights.sum(1).clampMin(1e-9));
        }
    }

    static SentenceSettings of(Source source) {
        String transformer = "";
        List<Pooling> poolings = List.of(Pooling.MEAN);
        boolean isUnit = false;
        if (source.files().containsKey(MODULES)) {
            for (JsonNode module : Embedder.json(source, MODULES)) {
                String type = module.path("type").asText();
                String path = module.path("path").asText();
                switch (type.substring(type.lastIndexOf('.') + 1)) {
                    case "Transformer" -> transformer = path;
                    case "Pooling" -> poolings = poolings(source, path + "/config.json");
                    case "Normalize" -> isUnit = true;
                    default ->
                        throw new OutpostException(
                                FaultKind.USER,
                                source.uri() + ": modules.json has a module " + type
                                        + ", and only Transformer, Pooling and Normalize are known");
                }
            }
        }
        Source encoder = transformer.isEmpty() ? source : source.folder(transformer);
        JsonNode config = CONFIGS.stream()
                .filter(encoder.files()::containsKey)
                .findFirst()
                .map(file -> Embedder.json(encoder, file))
                .orElseGet(JsonNodeFactory.instance::objectNode);
        JsonNode most = config.path("max_seq_length");
        if (!most.isMissingNode() && !most.isNull() && (!most.canConvertToInt() || most.intValue() < 1)) {
            throw new OutpostException(
                    FaultKind.USER, source.uri() + ": max_seq_length: expected a number above 0, got " + most);
        }
        return new SentenceSettings(
                encoder,
                poolings,
                isUnit,
                most.isNumber() ? most.intValue() : Tokenizer.mostTokens(encoder),
                config.path("do_lower_case").asBoolean());
    }

    private static List<Pooling> poolings(Source source, String file) {
        JsonNode config = Embedder.json(source, file);
        Map<String, Pooling> known = new TreeMap<>();
        SequencedMap<String, Pooling> flags = new LinkedHashMap<>();
        for (Pooling each : Pooling.values()) {
            known.put(each.mode, each);
            flags.put(each.flag, each);
        }
        List<Pooling> poolings = new ArrayList<>();
        JsonNode modes = config.path("pooling_mode");
        for (JsonNode mode : modes.isTextual() ? List.of(modes) : modes) {
            if (!known.containsKey(mode.asText())) {
                throw new OutpostException(
                        FaultKind.USER,
                        source.uri() + ": " + file + ": expected one of the poolings " + known.keySet() + ", got "
                                + mode);
            }
            poolings.add(known.get(mode.asText()));
        }
        if (poolings.isEmpty()) {
            flags.forEach((flag, pooling) -> {
                if (config.path(flag).asBoolean()) {
                    poolings.add(pooling);
                }
            });
        }
        return poolings.isEmpty() ? List.of(Pooling.MEAN) : List.copyOf(poolings);
    }
}
