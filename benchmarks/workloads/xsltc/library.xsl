<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="html" indent="no"/>
  <xsl:param name="least" select="0"/>
  <xsl:key name="by-author" match="book" use="author"/>
  <xsl:template match="/library">
    <html><body>
      <ul>
        <xsl:apply-templates select="book[number(price) &gt;= $least]">
          <xsl:sort select="@year" data-type="number"/>
          <xsl:sort select="title"/>
        </xsl:apply-templates>
      </ul>
      <xsl:for-each select="book[generate-id() = generate-id(key('by-author', author)[1])]">
        <p><xsl:value-of select="author"/>: <xsl:value-of select="sum(key('by-author', author)/price)"/></p>
      </xsl:for-each>
    </body></html>
  </xsl:template>
  <xsl:template match="book">
    <li id="{@id}"><b><xsl:value-of select="translate(title, 'abcdefghij', 'ABCDEFGHIJ')"/></b>
      <i><xsl:for-each select="author"><xsl:if test="position() &gt; 1">, </xsl:if><xsl:value-of select="."/></xsl:for-each></i>
      <xsl:call-template name="words"><xsl:with-param name="text" select="text"/></xsl:call-template>
    </li>
  </xsl:template>
  <xsl:template name="words">
    <xsl:param name="text"/>
    <xsl:choose>
      <xsl:when test="contains($text, ' ')">
        <em><xsl:value-of select="string-length(substring-before($text, ' '))"/></em>
        <xsl:call-template name="words"><xsl:with-param name="text" select="substring-after($text, ' ')"/></xsl:call-template>
      </xsl:when>
      <xsl:otherwise><xsl:value-of select="string-length($text)"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>
</xsl:stylesheet>
