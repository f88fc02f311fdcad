package dev.outpost.models.constraint;

import dev.outpost.models.Tokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The texts of all tokens of a model, as a tree by their characters. Immutable. */
public final class TokenTexts {
    private static final char UNFINISHED = '\uFFFD';

    /** A beginning of tokens. */
    static final class Node {
        final Map<Character, Node> next = new TreeMap<>();
        /** Those that are whole here. */
        final List<Integer> tokens = new ArrayList<>();
    }

    private final Node root = new Node();
    private final String[] texts;

    private TokenTexts(String[] texts) {
        this.texts = texts;
        for (int token = 0; token < texts.length; token++) {
            String text = texts[token];
            // Special tokens have no text, and parts of characters none of their own.
            if (!text.isEmpty() && text.indexOf(UNFINISHED) < 0) {
                Node node = root;
                for (char c : text.toCharArray()) {
                    node = node.next.computeIfAbsent(c, first -> new Node());
                }
                node.tokens.add(token);
            }
        }
    }

    /** Of the tokens below a number. */
    public static TokenTexts of(Tokenizer tokenizer, int vocabulary) {
        int anchor = anchor(tokenizer, vocabulary);
        // Behind another token, since some tokenizers drop the blank with which a text begins.
        int before = tokenizer.decode(new int[] {anchor}).length();
        String[] texts = new String[vocabulary];
        for (int token = 0; token < vocabulary; token++) {
            String both = tokenizer.decode(new int[] {anchor, token});
            texts[token] = both.length() > before ? both.substring(before) : "";
        }
        return new TokenTexts(texts);
    }

    private static int anchor(Tokenizer tokenizer, int vocabulary) {
        for (int token = 0; token < vocabulary; token++) {
            String text = tokenizer.decode(new int[] {token});
            if (text.length() == 1 && Character.isLetterOrDigit(text.charAt(0))) {
                return token;
            }
        }
        throw new IllegalArgumentException("the tokenizer has no token that is a letter");
    }

    Node root() {
        return root;
    }

    String text(int token) {
        return texts[token];
    }

    int count() {
        return texts.length;
    }
}
