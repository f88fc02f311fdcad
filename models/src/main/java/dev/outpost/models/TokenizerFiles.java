package dev.outpost.models;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.models.architecture.T5;
import dev.outpost.source.Source;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The {@code tokenizer.json} of a model. If the source has none, it is built from the files of older tokenizers: {@code vocab.txt}
 * (WordPiece), {@code vocab.json} and {@code merges.txt} (byte-level BPE), or a model file of SentencePiece. The special tokens are taken
 * from {@code tokenizer_config.json}, {@code special_tokens_map.json} and {@code added_tokens.json}. Without these files, the defaults of
 * the tokenizer's class are used.
 */
public final class TokenizerFiles {
    static final String FILE = "tokenizer.json";

    private static final String WORDS = "vocab.txt";
    private static final String VOCABULARY = "vocab.json";
    private static final String MERGES = "merges.txt";
    private static final List<String> SENTENCE_PIECE =
            List.of("tokenizer.model", "spiece.model", "sentencepiece.bpe.model");
    private static final int EXTRA_IDS_OF_T5 = 100;

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private static final String QWEN_CUTS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}|"
            + " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
    private static final String CLIP_CUTS = "'s|'t|'re|'ve|'m|'ll|'d|[\\p{L}]+|[\\p{N}]|[^\\s\\p{L}\\p{N}]+";

    private static final String END_OF_TEXT = "<|endoftext|>";

    /**
     * A family of tokenizers with the same rules. It is selected by the class name of the tokenizer in transformers,
     * or by the model type.
     */
    private enum Family {
        BERT(
                Set.of("BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer"),
                Set.of("bert", "distilbert", "electra"),
                Map.of("unk", "[UNK]", "sep", "[SEP]", "pad", "[PAD]", "cls", "[CLS]", "mask", "[MASK]"),
                false,
                false),
        GPT2(
                Set.of("GPT2Tokenizer", "GPTNeoXTokenizer"),
                Set.of("gpt2", "gpt_neox"),
                Map.of("bos", END_OF_TEXT, "eos", END_OF_TEXT, "unk", END_OF_TEXT),
                false,
                false),
        ROBERTA(
                Set.of("RobertaTokenizer", "BartTokenizer", "LongformerTokenizer"),
                Set.of("roberta"),
                Map.of(
                        "bos", "<s>", "eos", "</s>", "cls", "<s>", "sep", "</s>", "unk", "<unk>", "pad", "<pad>",
                        "mask", "<mask>"),
                false,
                false),
        QWEN2(
                Set.of("Qwen2Tokenizer"),
                Set.of("qwen2", "qwen3"),
                Map.of("eos", END_OF_TEXT, "pad", END_OF_TEXT, "unk", END_OF_TEXT),
                false,
                false),
        CLIP(
                Set.of("CLIPTokenizer"),
                Set.of("clip", "clip_text_model"),
                Map.of("bos", "<|startoftext|>", "eos", END_OF_TEXT, "unk", END_OF_TEXT, "pad", END_OF_TEXT),
                false,
                false),
        LLAMA(
                Set.of("LlamaTokenizer", "CodeLlamaTokenizer"),
                Set.of("llama", "mistral", "mixtral", "phi3"),
                Map.of("bos", "<s>", "eos", "</s>", "unk", "<unk>"),
                true,
                false),
        GEMMA(
                Set.of("GemmaTokenizer"),
                Set.of("gemma", "gemma2", "gemma3", "gemma3_text"),
                Map.of("bos", "<bos>", "eos", "<eos>", "unk", "<unk>", "pad", "<pad>"),
                true,
                false),
        T5(Set.of("T5Tokenizer"), Set.of("t5"), Map.of("eos", "</s>", "unk", "<unk>", "pad", "<pad>"), false, true),
        XLM_ROBERTA(
                Set.of("XLMRobertaTokenizer"),
                Set.of("xlm-roberta"),
                Map.of(
                        "bos", "<s>", "eos", "</s>", "cls", "<s>", "sep", "</s>", "unk", "<unk>", "pad", "<pad>",
                        "mask", "<mask>"),
                true,
                true);

        private final Set<String> classes;
        private final Set<String> modelTypes;
        private final Map<String, String> tokens;
        private final boolean beginsTexts;
        private final boolean endsTexts;

        Family(
                Set<String> classes,
                Set<String> modelTypes,
                Map<String, String> tokens,
                boolean beginsTexts,
                boolean endsTexts) {
            this.classes = classes;
            this.modelTypes = modelTypes;
            this.tokens = tokens;
            this.beginsTexts = beginsTexts;
            this.endsTexts = endsTexts;
        }
    }

    private final Source source;
    private final JsonNode config;
    private final JsonNode tokens;
    private final Family family;
    private final ObjectNode json = JSON.objectNode();
    /** The ids of the tokens in the model part of the file. */
    private final Map<String, Integer> ids = new LinkedHashMap<>();
    /** The added tokens, which are not in the model part, by id. */
    private final TreeMap<Integer, ObjectNode> added = new TreeMap<>();

    private TokenizerFiles(Source source) {
        this.source = source;
        this.config = object(source, "tokenizer_config.json");
        this.tokens = object(source, "special_tokens_map.json");
        this.family = family();
    }

    /** True if the source has the files of a tokenizer. */
    public static boolean areIn(Source source) {
        Set<String> files = source.files().keySet();
        return files.contains(FILE)
                || files.contains(WORDS)
                || files.contains(VOCABULARY) && files.contains(MERGES)
                || SENTENCE_PIECE.stream().anyMatch(files::contains);
    }

    /** Returns the bytes of {@code tokenizer.json}, which is read or, if the source has none, built from older files. Waits for the machine. */
    static byte[] json(Source source) {
        if (source.files().containsKey(FILE)) {
            return source.bytes(FILE);
        }
        if (!areIn(source)) {
            throw new OutpostException(
                    FaultKind.USER,
                    source.uri() + ": the model has no tokenizer (" + FILE + ", " + VOCABULARY + " with " + MERGES
                            + ", " + WORDS + " or " + SENTENCE_PIECE.getFirst()
                            + "), so it takes tokens instead of text");
        }
        try {
            return MAPPER.writeValueAsBytes(new TokenizerFiles(source).make());
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static ObjectNode typed(String type) {
        return JSON.objectNode().put("type", type);
    }

    private OutpostException refused(String why) {
        return new OutpostException(FaultKind.USER, source.uri() + ": " + why);
    }

    private static JsonNode object(Source source, String file) {
        return source.files().containsKey(file)
                ? ModelConfig.parse(source.uri(), source.text(file)).json()
                : JSON.objectNode();
    }

    private Family family() {
        String type = config.path("tokenizer_class").asText("").replaceFirst("Fast$", "");
        boolean isNamed = !type.isEmpty() && !type.equals("PreTrainedTokenizer") && !type.equals("TokenizersBackend");
        String modelType = object(source, "config.json").path("model_type").asText("");
        for (Family each : Family.values()) {
            if (isNamed ? each.classes.contains(type) : each.modelTypes.contains(modelType)) {
                return each;
            }
        }
        throw refused("it has no " + FILE + ", and the tokenizer "
                + (isNamed ? type : "of model type \"" + modelType + "\"")
                + " is not known without it; save it once with"
                + " AutoTokenizer.from_pretrained(...).save_pretrained(...)");
    }

    private String file(String... names) {
        for (String name : names) {
            if (source.files().containsKey(name)) {
                return name;
            }
        }
        throw refused("its tokenizer is of the kind " + family.name().toLowerCase(Locale.ROOT) + ", which needs "
                + String.join(" or ", names));
    }

    // ---- the parts

    private ObjectNode make() {
        json.put("version", "1.0").putNull("truncation").putNull("padding");
        json.putArray("added_tokens");
        json.putNull("normalizer").putNull("pre_tokenizer").putNull("post_processor");
        switch (family) {
            case BERT -> addWordPiece();
            case GPT2, ROBERTA, QWEN2, CLIP -> addByteLevel();
            case LLAMA, GEMMA, T5, XLM_ROBERTA -> addSentencePiece();
        }
        addTokens();
        ArrayNode list = json.putArray("added_tokens");
        added.values().forEach(list::add);
        json.set("post_processor", postProcessor());
        return json;
    }

    private void addWordPiece() {
        ObjectNode model = typed("WordPiece");
        model.put("unk_token", token("unk").orElseThrow())
                .put("continuing_subword_prefix", "##")
                .put("max_input_chars_per_word", 100);
        ObjectNode vocabulary = model.putObject("vocab");
        String[] lines = source.text(file(WORDS)).split("\n", -1);
        int count = lines.length > 0 && lines[lines.length - 1].isEmpty() ? lines.length - 1 : lines.length;
        for (int id = 0; id < count; id++) {
            String word = lines[id].endsWith("\r") ? lines[id].substring(0, lines[id].length() - 1) : lines[id];
            vocabulary.put(word, id);
            ids.put(word, id);
        }
        json.set("model", model);
        json.set(
                "normalizer",
                typed("BertNormalizer")
                        .put("clean_text", true)
                        .put("handle_chinese_chars", flag("tokenize_chinese_chars", true))
                        .put("lowercase", flag("do_lower_case", true))
                        .<ObjectNode>set(
                                "strip_accents",
                                config.path("strip_accents").isBoolean()
                                        ? config.get("strip_accents")
                                        : JSON.nullNode()));
        json.set("pre_tokenizer", typed("BertPreTokenizer"));
        json.set("decoder", typed("WordPiece").put("prefix", "##").put("cleanup", true));
    }

    private void addByteLevel() {
        ObjectNode model = typed("BPE");
        model.putNull("dropout")
                .put("fuse_unk", false)
                .put("byte_fallback", false)
                .put("ignore_merges", false);
        if (family == Family.CLIP) {
            model.put("unk_token", token("unk").orElseThrow()).put("end_of_word_suffix", "</w>");
        } else {
            model.putNull("unk_token").put("end_of_word_suffix", "");
        }
        model.put("continuing_subword_prefix", "");
        JsonNode vocabulary = object(source, file(VOCABULARY));
        vocabulary.properties().forEach(entry -> {
            if (!entry.getValue().isIntegralNumber()) {
                throw refused(VOCABULARY + ": expected the id of " + entry.getKey() + ", got " + entry.getValue());
            }
            ids.put(entry.getKey(), entry.getValue().asInt());
        });
        model.set("vocab", vocabulary);
        ArrayNode merges = model.putArray("merges");
        source.text(file(MERGES))
                .lines()
                .filter(line -> !line.isEmpty() && !line.startsWith("#version"))
                .forEach(merges::add);
        json.set("model", model);
        json.set("decoder", byteLevel(false, true));
        switch (family) {
            case QWEN2 -> {
                json.set("normalizer", typed("NFC"));
                cut(QWEN_CUTS, "Isolated", false, byteLevel(flag("add_prefix_space", false), false));
            }
            case CLIP -> {
                ObjectNode blanks = typed("Replace").put("content", " ");
                blanks.set("pattern", JSON.objectNode().put("Regex", "\\s+"));
                ObjectNode normalizers = typed("Sequence");
                normalizers
                        .putArray("normalizers")
                        .add(typed("NFC"))
                        .add(blanks)
                        .add(typed("Lowercase"));
                json.set("normalizer", normalizers);
                cut(CLIP_CUTS, "Removed", true, byteLevel(false, true));
            }
            default -> json.set("pre_tokenizer", byteLevel(flag("add_prefix_space", false), true));
        }
    }

    private void cut(String pattern, String behavior, boolean isInverted, ObjectNode next) {
        ObjectNode split = typed("Split").put("behavior", behavior).put("invert", isInverted);
        split.set("pattern", JSON.objectNode().put("Regex", pattern));
        ObjectNode sequence = typed("Sequence");
        sequence.putArray("pretokenizers").add(split).add(next);
        json.set("pre_tokenizer", sequence);
    }

    private static ObjectNode byteLevel(boolean addsBlank, boolean cutsWords) {
        return typed("ByteLevel")
                .put("add_prefix_space", addsBlank)
                .put("trim_offsets", false)
                .put("use_regex", cutsWords);
    }

    private void addSentencePiece() {
        String file = file(SENTENCE_PIECE.toArray(String[]::new));
        SentencePieceModel model;
        try {
            model = SentencePieceModel.parse(source.bytes(file));
        } catch (IOException failure) {
            throw refused(file + " is no model of SentencePiece: " + failure.getMessage());
        }
        List<SentencePieceModel.Piece> pieces = vocabulary(model.pieces());
        if (family == Family.LLAMA) {
            model.addPrefix(flag("add_prefix_space", model.addsPrefix()));
        }
        boolean isLegacy = family != Family.LLAMA || flag("legacy", true);
        json.setAll(model.json(pieces, isLegacy));
        for (int id = 0; id < pieces.size(); id++) {
            ids.putIfAbsent(pieces.get(id).text(), id);
            if (pieces.get(id).isSpecial()) {
                add(id, pieces.get(id).text(), true, false);
            }
        }
        if (family == Family.T5) {
            int extra = config.path("extra_ids").asInt(EXTRA_IDS_OF_T5);
            for (int number = 0; number < extra; number++) {
                add(pieces.size() + extra - 1 - number, "<extra_id_" + number + ">", true, false);
            }
        }
    }

    /** Returns the vocabulary. XLM-RoBERTa numbers tokens as fairseq does: four special tokens first, and the mask after the pieces. */
    private List<SentencePieceModel.Piece> vocabulary(List<SentencePieceModel.Piece> pieces) {
        if (family != Family.XLM_ROBERTA || pieces.size() < 3) {
            return pieces;
        }
        List<SentencePieceModel.Piece> shifted = new ArrayList<>();
        for (String name : List.of("bos", "pad", "eos", "unk")) {
            shifted.add(new SentencePieceModel.Piece(token(name).orElseThrow(), 0, name.equals("unk") ? 2 : 3));
        }
        shifted.addAll(pieces.subList(3, pieces.size()));
        shifted.add(new SentencePieceModel.Piece(token("mask").orElseThrow(), 0, 3));
        return shifted;
    }

    // ---- special and added tokens

    private boolean flag(String key, boolean standard) {
        return config.path(key).asBoolean(standard);
    }

    /** Returns the text of a special token, for example {@code bos}. */
    private Optional<String> token(String name) {
        for (JsonNode from : List.of(config, tokens)) {
            JsonNode value = from.path(name + "_token");
            JsonNode text = value.isObject() ? value.path("content") : value;
            if (text.isTextual()) {
                return Optional.of(text.asText());
            }
            if (value.isNull()) {
                return Optional.empty();
            }
        }
        return Optional.ofNullable(family.tokens.get(name));
    }

    private void addTokens() {
        SequencedMap<String, Integer> stored = new LinkedHashMap<>();
        object(source, "added_tokens.json")
                .properties()
                .forEach(entry -> stored.put(entry.getKey(), entry.getValue().asInt()));
        Set<String> special = new HashSet<>();
        for (String name : List.of("bos", "eos", "unk", "sep", "pad", "cls", "mask")) {
            token(name).ifPresent(special::add);
        }
        for (JsonNode from : List.of(config, tokens)) {
            from.path("additional_special_tokens")
                    .forEach(each ->
                            special.add(each.isObject() ? each.path("content").asText() : each.asText()));
        }
        stored.forEach((text, id) -> add(id, text, special.contains(text), false));
        config.path("added_tokens_decoder")
                .properties()
                .forEach(entry -> addDescribed(entry.getKey(), entry.getValue()));
        for (String text : special) {
            if (ids.containsKey(text)) {
                add(ids.get(text), text, true, token("mask").equals(Optional.of(text)));
            }
        }
        requireIds();
    }

    private void addDescribed(String id, JsonNode described) {
        if (!id.matches("\\d{1,9}") || !described.path("content").isTextual()) {
            throw refused("tokenizer_config.json: added_tokens_decoder: expected tokens by ids, got " + id);
        }
        ObjectNode token = JSON.objectNode()
                .put("id", Integer.parseInt(id))
                .put("content", described.path("content").asText());
        for (String key : List.of("single_word", "lstrip", "rstrip", "normalized", "special")) {
            token.put(key, described.path(key).asBoolean());
        }
        added.put(Integer.parseInt(id), token);
    }

    private void add(int id, String text, boolean isSpecial, boolean takesBlanks) {
        added.putIfAbsent(
                id,
                JSON.objectNode()
                        .put("id", id)
                        .put("content", text)
                        .put("single_word", false)
                        .put("lstrip", takesBlanks)
                        .put("rstrip", false)
                        .put("normalized", false)
                        .put("special", isSpecial));
    }

    /** Fails if the ids of added tokens do not follow the vocabulary without gaps, because the library would silently assign other ids. */
    private void requireIds() {
        int next = ids.values().stream().mapToInt(id -> id + 1).max().orElse(0);
        for (Map.Entry<Integer, ObjectNode> each : added.entrySet()) {
            String text = each.getValue().path("content").asText();
            Integer known = ids.get(text);
            if (known == null && each.getKey() != next++ || known != null && !known.equals(each.getKey())) {
                throw refused("the added token " + text + " has the id " + each.getKey()
                        + ", which does not follow the vocabulary; save the tokenizer as " + FILE);
            }
        }
    }

    private int id(String text) {
        Integer known = ids.get(text);
        if (known != null) {
            return known;
        }
        return added.values().stream()
                .filter(token -> token.path("content").asText().equals(text))
                .mapToInt(token -> token.path("id").asInt())
                .findFirst()
                .orElseThrow(() -> refused("the special token " + text + " is not in the vocabulary"));
    }

    // ---- tokens around a text

    private @Nullable JsonNode postProcessor() {
        return switch (family) {
            case BERT -> around(token("cls"), token("sep"), 1, false);
            case ROBERTA -> roberta("sep", "cls", true, flag("add_prefix_space", false));
            case CLIP -> roberta("eos", "bos", false, false);
            case XLM_ROBERTA -> around(token("cls"), token("sep"), 0, true);
            case QWEN2, GPT2, LLAMA, GEMMA, T5 ->
                around(
                        flag("add_bos_token", family.beginsTexts) ? token("bos") : Optional.empty(),
                        flag("add_eos_token", family.endsTexts) ? token("eos") : Optional.empty(),
                        family == Family.T5 ? 0 : 1,
                        false);
        };
    }

    private ObjectNode roberta(String end, String begin, boolean trims, boolean addsBlank) {
        ObjectNode processor =
                typed("RobertaProcessing").put("trim_offsets", trims).put("add_prefix_space", addsBlank);
        BiConsumer<String, String> put = (key, name) -> {
            String text = token(name).orElseThrow();
            processor.putArray(key).add(text).add(id(text));
        };
        put.accept("sep", end);
        put.accept("cls", begin);
        return processor;
    }

    /** @param second the token type id of a second text */
    private ObjectNode around(Optional<String> begin, Optional<String> end, int second, boolean endsTwice) {
        ObjectNode template = typed("TemplateProcessing");
        ArrayNode single = template.putArray("single");
        ArrayNode pair = template.putArray("pair");
        ObjectNode special = template.putObject("special_tokens");
        begin.ifPresent(text -> {
            put(single, "SpecialToken", text, 0);
            put(pair, "SpecialToken", text, 0);
        });
        put(single, "Sequence", "A", 0);
        put(pair, "Sequence", "A", 0);
        end.ifPresent(text -> {
            put(single, "SpecialToken", text, 0);
            put(pair, "SpecialToken", text, 0);
            if (endsTwice) {
                put(pair, "SpecialToken", text, 0);
            }
        });
        if (family == Family.LLAMA || family == Family.GEMMA) {
            begin.ifPresent(text -> put(pair, "SpecialToken", text, second));
        }
        put(pair, "Sequence", "B", second);
        end.ifPresent(text -> put(pair, "SpecialToken", text, second));
        for (Optional<String> each : List.of(begin, end)) {
            each.ifPresent(text -> {
                ObjectNode one = special.putObject(text).put("id", text);
                one.putArray("ids").add(id(text));
                one.putArray("tokens").add(text);
            });
        }
        return template;
    }

    private static void put(ArrayNode to, String kind, String id, int type) {
        to.addObject().putObject(kind).put("id", id).put("type_id", type);
    }
}
