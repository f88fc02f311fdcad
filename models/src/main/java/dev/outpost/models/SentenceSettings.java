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
 * What the files of sentence-transformers say of an encoder: {@code modules.json}, the pooling's {@code config.json}, and {@code
 * sentence_bert_config.json}. Without {@code modules.json} it is the mean of the tokens' vectors.
 *
 * @param encoder where the encoder and its tokenizer are
 * @param poolings the ways in which the vectors of a text's tokens become one; the vectors of several stand behind each other
 * @param isUnit whether vectors get the length 1
 * @param mostTokens of a text with its special tokens, as far as the files say it
 * @param isLowerCase whether texts are made lower case before they are cut into tokens
 */
record SentenceSettings(Source encoder, List<Pooling> poolings, boolean isUnit, int mostTokens, boolean isLowerCase) {
    private static final String MODULES = "modules.json";

    /** The names that this file has, by the kinds of encoders that sentence-transformers once told apart. */
    private static final List<String> CONFIGS = List.of(
            "sentence_bert_config.json",
            "sentence_roberta_config.json",
            "sentence_distilbert_config.json",
            "sentence_camembert_config.json",
            "sentence_albert_config.json",
            "sentence_xlm-roberta_config.json",
            "sentence_xlnet_config.json");

    /** How the vectors of a text's tokens become one. */
    enum Pooling {
        CLS("cls", "cls_token"),
        MAX("max", "max_tokens"),
        MEAN("mean", "mean_tokens"),
        MEAN_SQRT_LEN("mean_sqrt_len_tokens", "mean_sqrt_len_tokens"),
        WEIGHTED_MEAN("weightedmean", "weightedmean_tokens"),
        LAST("lasttoken", "lasttoken");

        private final String mode;
        /** In the key of older files. */
        private final String flag;

        Pooling(String mode, String flag) {
            this.mode = mode;
            this.flag = "pooling_mode_" + flag;
        }

        /**
         * One vector for each text.
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
                // The one token with as many up to it as the text has.
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
