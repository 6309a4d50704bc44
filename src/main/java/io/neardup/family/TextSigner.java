package io.neardup.family;

/** Signs documents. Implementations may keep scratch buffers: one instance for one thread. */
public interface TextSigner {
    /**
     * The signature and the evidence of a document.
     *
     * @param utf8 its raw text, well-formed UTF-8 from one offset up to another; not to be kept or changed
     * @throws UnsignableException when the text is not of the form that the family compares
     */
    SignedText sign(byte[] utf8, int from, int to) throws UnsignableException;
}
