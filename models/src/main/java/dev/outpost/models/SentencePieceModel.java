package dev.outpost.models;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A model file of SentencePiece ({@code sentencepiece_model.proto}): the pieces and the normalization of texts. It
 * can be converted to a {@code tokenizer.json} that produces the same tokens as SentencePiece.
 */
final class SentencePieceModel {
    static final String BLANK = "\u2581";

    private static final int MAX_PIECES = 2_000_000;
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** The types of pieces in the protobuf file. */
    private static final int NORMAL = 1;

    private static final int UNKNOWN = 2;
    private static final int CONTROL = 3;
    private static final int USER_DEFINED = 4;

    private static final int UNIGRAM = 1;
    private static final int BPE = 2;

    /**
     * A piece. Its index in the list is its id.
     *
     * @param score the log probability, or for BPE the negated rank
     */
    record Piece(String text, float score, int type) {
        boolean isSpecial() {
            return type == CONTROL || type == UNKNOWN;
        }
    }

    private final List<Piece> pieces = new ArrayList<>();
    private int modelType = UNIGRAM;
    private boolean hasByteFallback;
    private String charsmap = "";
    private boolean addsPrefix = true;
    private boolean dropsExtraBlanks = true;
    private boolean escapesBlanks = true;

    private SentencePieceModel() {}

    /** @throws IOException if the bytes are not a model file of SentencePiece */
    static SentencePieceModel parse(byte[] bytes) throws IOException {
        SentencePieceModel model = new SentencePieceModel();
        CodedInputStream in = CodedInputStream.newInstance(bytes);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> model.readPiece(part(in));
                case 2 -> model.readTrainer(part(in));
                case 3 -> model.readNormalizer(part(in));
                default -> in.skipField(tag);
            }
        }
        if (model.pieces.isEmpty()) {
            throw new IOException("it has no pieces");
        }
        if (model.modelType != UNIGRAM && model.modelType != BPE) {
            throw new IOException(
                    "its model type is " + model.modelType + ", and only unigram (1) and BPE (2) are known");
        }
        return model;
    }

    private static CodedInputStream part(CodedInputStream in) throws IOException {
        return in.readBytes().newCodedInput();
    }

    private void readPiece(CodedInputStream in) throws IOException {
        String text = "";
        float score = 0;
        int type = NORMAL;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> text = in.readStringRequireUtf8();
                case 2 -> score = in.readFloat();
                case 3 -> type = in.readEnum();
                default -> in.skipField(tag);
            }
        }
        if (pieces.size() == MAX_PIECES || !Float.isFinite(score)) {
            throw new IOException("it has more than " + MAX_PIECES + " pieces, or a score that is no number");
        }
        pieces.add(new Piece(text, score, type));
    }

    private void readTrainer(CodedInputStream in) throws IOException {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 3 -> modelType = in.readEnum();
                case 35 -> hasByteFallback = in.readBool();
                default -> in.skipField(tag);
            }
        }
    }

    private void readNormalizer(CodedInputStream in) throws IOException {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 2 ->
                    charsmap = Base64.getEncoder().encodeToString(in.readBytes().toByteArray());
                case 3 -> addsPrefix = in.readBool();
                case 4 -> dropsExtraBlanks = in.readBool();
                case 5 -> escapesBlanks = in.readBool();
                default -> in.skipField(tag);
            }
        }
    }

    /** Returns all pieces, ordered by id. */
    List<Piece> pieces() {
        return List.copyOf(pieces);
    }

    /** Sets whether a blank is put in front of texts, regardless of the file. */
    void addPrefix(boolean adds) {
        addsPrefix = adds;
    }

    /** True if a blank is put in front of texts. */
    boolean addsPrefix() {
        return addsPrefix;
    }

    /**
     * Returns the normalizer, pre-tokenizer and model of a {@code tokenizer.json}.
     *
     * @param vocabulary the pieces in the order of the model's ids, which may differ from the file's
     * @param isLegacy true if a blank is put in front of each part of a text after a special token, not only of the first part
     */
    ObjectNode json(List<Piece> vocabulary, boolean isLegacy) {
        ObjectNode json = JSON.objectNode();
        json.set("normalizer", sequence("normalizers", normalizers(isLegacy)));
        List<ObjectNode> cuts = new ArrayList<>();
        if (addsPrefix) {
            ObjectNode blanks = TokenizerFiles.typed("Metaspace");
            cuts.add(blanks.put("replacement", BLANK)
                    .put("prepend_scheme", isLegacy ? "always" : "first")
                    .put("split", false));
        }
        List<String> whole = vocabulary.stream()
                .filter(piece -> piece.type() == USER_DEFINED && !piece.text().isEmpty())
                .map(Piece::text)
                .sorted(Comparator.comparing(String::length).reversed().thenComparing(Comparator.naturalOrder()))
                .toList();
        if (!whole.isEmpty()) {
            ObjectNode split = TokenizerFiles.typed("Split");
            split.set(
                    "pattern",
                    JSON.objectNode()
                            .put(
                                    "Regex",
                                    String.join(
                                            "|",
                                            whole.stream()
                                                    .map(SentencePieceModel::quoted)
                                                    .toList())));
            cuts.add(split.put("behavior", "Isolated").put("invert", false));
        }
        json.set("pre_tokenizer", cuts.isEmpty() ? JSON.nullNode() : sequence("pretokenizers", cuts));
        json.set("decoder", sequence("decoders", decoders()));
        json.set("model", modelType == UNIGRAM ? unigram(vocabulary) : bpe(vocabulary, !whole.isEmpty()));
        return json;
    }

    private static ObjectNode sequence(String key, List<ObjectNode> parts) {
        ObjectNode sequence = TokenizerFiles.typed("Sequence");
        parts.forEach(sequence.putArray(key)::add);
        return sequence;
    }

    private static ObjectNode replace(String kind, String pattern, String content) {
        ObjectNode replace = TokenizerFiles.typed("Replace");
        replace.set("pattern", JSON.objectNode().put(kind, pattern));
        return replace.put("content", content);
    }

    /** Returns the normalizers in SentencePiece's order. */
    private List<ObjectNode> normalizers(boolean isLegacy) {
        List<ObjectNode> parts = new ArrayList<>();
        if (!charsmap.isEmpty()) {
            parts.add(TokenizerFiles.typed("Precompiled").put("precompiled_charsmap", charsmap));
        }
        if (dropsExtraBlanks) {
            parts.add(replace("Regex", "\\A +| +\\z", ""));
            parts.add(replace("Regex", " {2,}", " "));
        }
        if (escapesBlanks) {
            parts.add(replace("String", " ", BLANK));
        }
        if (addsPrefix && isLegacy) {
            // SentencePiece also adds a blank to a text that begins with one, but Metaspace does not.
            parts.add(replace("Regex", "\\A" + BLANK, BLANK + BLANK));
        }
        return parts;
    }

    private List<ObjectNode> decoders() {
        List<ObjectNode> parts = new ArrayList<>();
        parts.add(replace("String", BLANK, " "));
        if (hasByteFallback) {
            parts.add(TokenizerFiles.typed("ByteFallback"));
        }
        if (addsPrefix || hasByteFallback) {
            parts.add(TokenizerFiles.typed("Fuse"));
        }
        if (addsPrefix) {
            parts.add(TokenizerFiles.typed("Strip")
                    .put("content", " ")
                    .put("start", 1)
                    .put("stop", 0));
        }
        return parts;
    }

    private static int unknown(List<Piece> vocabulary) {
        for (int id = 0; id < vocabulary.size(); id++) {
            if (vocabulary.get(id).type() == UNKNOWN) {
                return id;
            }
        }
        return 0;
    }

    private ObjectNode unigram(List<Piece> vocabulary) {
        ObjectNode model = TokenizerFiles.typed("Unigram");
        model.put("unk_id", unknown(vocabulary)).put("byte_fallback", hasByteFallback);
        ArrayNode pairs = model.putArray("vocab");
        vocabulary.forEach(piece -> pairs.addArray().add(piece.text()).add((double) piece.score()));
        return model;
    }

    private ObjectNode bpe(List<Piece> vocabulary, boolean keepsWhole) {
        ObjectNode model = TokenizerFiles.typed("BPE");
        model.putNull("dropout")
                .put("unk_token", vocabulary.get(unknown(vocabulary)).text())
                .putNull("continuing_subword_prefix")
                .putNull("end_of_word_suffix")
                .put("fuse_unk", true)
                .put("byte_fallback", hasByteFallback)
                .put("ignore_merges", keepsWhole);
        ObjectNode ids = model.putObject("vocab");
        for (int id = 0; id < vocabulary.size(); id++) {
            ids.put(vocabulary.get(id).text(), id);
        }
        ArrayNode merges = model.putArray("merges");
        merges(vocabulary).forEach(merge -> merges.add(merge.left() + " " + merge.right()));
        return model;
    }

    /** @param id the id of the piece that both make together */
    private record Merge(String left, String right, float score, int id) {}

    /** Returns every pair of pieces whose concatenation is a piece, ordered by the score of that piece. */
    private static List<Merge> merges(List<Piece> vocabulary) {
        Map<String, Integer> normal = new LinkedHashMap<>();
        for (int id = 0; id < vocabulary.size(); id++) {
            if (vocabulary.get(id).type() == NORMAL) {
                normal.putIfAbsent(vocabulary.get(id).text(), id);
            }
        }
        List<Merge> merges = new ArrayList<>();
        normal.forEach((text, id) -> {
            for (int cut = 1; cut < text.length(); cut++) {
                String left = text.substring(0, cut);
                String right = text.substring(cut);
                if (normal.containsKey(left) && normal.containsKey(right)) {
                    merges.add(new Merge(left, right, vocabulary.get(id).score(), id));
                }
            }
        });
        merges.sort(Comparator.comparingDouble((Merge merge) -> -merge.score())
                .thenComparing(Merge::id)
                .thenComparing(Merge::left)
                .thenComparing(Merge::right));
        return merges;
    }

    private static String quoted(String text) {
        return text.replaceAll("([\\\\^$.|?*+()\\[\\]{}])", "\\\\$1")
                .replace("\n", "\\n")
                .replace("\t", "\\t");
    }
}
