<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:f="urn:f" exclude-result-prefixes="xs f">
  <xsl:output method="html" indent="no"/>
  <xsl:param name="least" select="0"/>
  <xsl:key name="by-author" match="book" use="author"/>
  <xsl:function name="f:price" as="xs:decimal">
    <xsl:param name="book" as="element(book)"/>
    <xsl:sequence select="xs:decimal($book/price) * (if (number($book/@year) lt 1950) then 2 else 1)"/>
  </xsl:function>
  <xsl:template match="/library">
    <html><body>
      <xsl:for-each-group select="book[xs:decimal(price) ge $least]" group-by="xs:integer(@year) idiv 10">
        <xsl:sort select="current-grouping-key()"/>
        <h1><xsl:value-of select="current-grouping-key() * 10, count(current-group()), sum(current-group()/f:price(.))"/></h1>
        <ul><xsl:apply-templates select="current-group()"><xsl:sort select="title"/></xsl:apply-templates></ul>
      </xsl:for-each-group>
      <table>
        <xsl:for-each select="distinct-values(book/author)">
          <xsl:sort select="xs:integer(substring-after(., ' '))"/>
          <xsl:variable name="name" select="."/>
          <tr><td><xsl:value-of select="$name"/></td></tr>
        </xsl:for-each>
      </table>
    </body></html>
  </xsl:template>
  <xsl:template match="book">
    <li id="{@id}"><b><xsl:value-of select="upper-case(title)"/></b>
      <i><xsl:value-of select="author" separator=", "/></i>
      <xsl:value-of select="count(key('by-author', author[1]))"/>
      <xsl:analyze-string select="text" regex="[0-9]+">
        <xsl:matching-substring><em><xsl:value-of select="number(.) mod 7"/></em></xsl:matching-substring>
        <xsl:non-matching-substring><xsl:value-of select="string-length(.)"/></xsl:non-matching-substring>
      </xsl:analyze-string>
    </li>
  </xsl:template>
</xsl:stylesheet>
