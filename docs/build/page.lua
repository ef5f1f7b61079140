-- page.lua - the pandoc filter of every page, lessons and documents: its title goes above the list of contents, and what may be
-- wider than a phone can be scrolled, with the keyboard too.

-- A line of code longer than this does not fit the column of a desktop.
local COLUMN = 78

local function wide(text)
    for line in (text .. "\n"):gmatch("([^\n]*)\n") do
        if #line > COLUMN then return true end
    end
    return false
end

local function scrolled(kind, block)
    return pandoc.Div({ block }, pandoc.Attr("", { "scroll" }, { { "tabindex", "0" }, { "role", "group" }, { "aria-label", kind } }))
end

local function table_block(block) return scrolled("Table", block) end

local function code_block(block)
    if wide(block.text) then return scrolled("Code", block) end
    return nil
end

-- Documents link to each other's sources, which is right where those are read; here their pages lie side by side.
local function link(anchor)
    if not anchor.target:match("://") then anchor.target = anchor.target:gsub("%.md$", ".html"):gsub("%.md#", ".html#") end
    return anchor
end

-- The title is the page's own: the list of contents begins with what comes after it.
local function lift_title(document)
    local first = document.blocks[1]
    if not first or first.t ~= "Header" or first.level ~= 1 then
        io.stderr:write("a page must begin with its title (# ...)\n")
        os.exit(1)
    end
    document.meta.heading = pandoc.MetaInlines(first.content)
    if not document.meta.pagetitle then document.meta.pagetitle = pandoc.MetaString(pandoc.utils.stringify(first)) end
    document.blocks:remove(1)
    return document
end

return { { Table = table_block, CodeBlock = code_block, Link = link, Pandoc = lift_title } }
