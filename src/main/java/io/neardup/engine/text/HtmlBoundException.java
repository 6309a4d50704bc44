package io.neardup.engine.text;

/** Markup is beyond a bound of {@link HtmlText}. */
public final class HtmlBoundException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean isDepth;

    private HtmlBoundException(boolean isDepth, String message) {
        super(message, null, false, false); // no stack trace: bad input is no error of the program
        this.isDepth = isDepth;
    }

    public static HtmlBoundException tooDeep() {
        return new HtmlBoundException(true, "elements are nested " + HtmlText.DEPTH_MAX + " deep or deeper");
    }

    static HtmlBoundException tooMuch(String message) {
        return new HtmlBoundException(false, message);
    }

    /** Whether elements are nested too deep; else there is too much of something. */
    public boolean isDepth() {
        return isDepth;
    }
}
